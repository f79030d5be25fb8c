"""The shapes at the HTTP edge. What the engine puts out is described in `schemas.engine`."""
