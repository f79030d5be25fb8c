// Unpacks the Chromium of the package into the folder that is named, and prints where it is and how it is started.
import { mkdirSync } from "node:fs";

const folder = process.argv[2];
mkdirSync(folder, { recursive: true });
process.env.TMPDIR = folder;
process.env.AWS_EXECUTION_ENV ??= "AWS_Lambda_nodejs22.x"; // it then unpacks the libraries that it needs, too
const { default: chromium } = await import("@sparticuz/chromium");
console.log(JSON.stringify({ path: await chromium.executablePath(), args: chromium.args, libraries: process.env.LD_LIBRARY_PATH }));
