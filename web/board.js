// The map: an SVG picture of the service, put into the page as it is; what may be chosen is lit, and it can be zoomed.

const MOST = 8; // times larger
const REACH = 22; // pixels around a touch in which something may be meant
const TAP = 8; // pixels that a finger may move and still point

export class Board {
  /** @param {(marks: string[], x: number, y: number) => void} onPoint */
  constructor(onPoint) {
    this.onPoint = onPoint;
    this.element = document.createElement("div");
    this.element.className = "map";
    this.element.tabIndex = 0;
    /** @type {SVGSVGElement | null} */
    this.svg = null;
    this.source = "";
    this.home = { x: 0, y: 0, width: 1200, height: 800 };
    this.box = { ...this.home };
    /** @type {Map<string, Element[]>} */
    this.marked = new Map();
    /** @type {Set<string>} */
    this.lit = new Set();
    /** @type {Set<string>} */
    this.chosen = new Set();
    /** @type {Map<number, { x: number, y: number }>} */
    this.fingers = new Map();
    this.travelled = 0;
    this.element.addEventListener("pointerdown", (event) => this.press(event));
    this.element.addEventListener("pointermove", (event) => this.drag(event));
    this.element.addEventListener("pointerup", (event) => this.release(event));
    this.element.addEventListener("pointercancel", (event) => this.fingers.delete(event.pointerId));
    this.element.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.element.addEventListener("dblclick", (event) => this.zoom(1.8, event.clientX, event.clientY));
  }

  /** Shows a picture; the part that one looks at stays. @param {string} source @param {string} label */
  show(source, label) {
    this.element.setAttribute("aria-label", label);
    if (source === this.source) return;
    const parsed = new DOMParser().parseFromString(source, "image/svg+xml").documentElement;
    if (parsed.localName !== "svg") return;
    const svg = /** @type {SVGSVGElement} */ (/** @type {unknown} */ (document.importNode(parsed, true)));
    const [x, y, width, height] = (svg.getAttribute("viewBox") || "0 0 1200 800").split(/[ ,]+/).map(Number);
    const isSame = this.svg !== null && width === this.home.width && height === this.home.height && x === this.home.x;
    this.home = { x, y, width, height };
    if (!isSame) this.box = { ...this.home };
    svg.removeAttribute("width");
    svg.removeAttribute("height");
    svg.setAttribute("preserveAspectRatio", "xMidYMid meet");
    this.source = source;
    this.svg = svg;
    this.element.replaceChildren(svg);
    this.element.style.aspectRatio = `${width} / ${height}`;
    this.marked.clear();
    for (const element of svg.querySelectorAll("[data-mark]")) {
      const mark = element.getAttribute("data-mark") || "";
      const alike = this.marked.get(mark);
      if (alike) alike.push(element);
      else this.marked.set(mark, [element]);
    }
    const { lit, chosen } = this;
    this.lit = this.chosen = new Set();
    this.light(lit, chosen);
    this.look();
  }

  /** @param {Set<string>} lit @param {Set<string>} chosen */
  light(lit, chosen) {
    for (const [set, before, name] of /** @type {[Set<string>, Set<string>, string][]} */ ([
      [lit, this.lit, "lit"],
      [chosen, this.chosen, "chosen"],
    ])) {
      for (const mark of before) if (!set.has(mark)) this.marked.get(mark)?.forEach((element) => element.classList.remove(name));
      for (const mark of set) if (!before.has(mark)) this.marked.get(mark)?.forEach((element) => element.classList.add(name));
    }
    this.lit = new Set(lit);
    this.chosen = new Set(chosen);
  }

  look() {
    const { x, y, width, height } = this.box;
    this.svg?.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    const isZoomed = this.home.width / width > 1.01;
    this.element.classList.toggle("zoomed", isZoomed);
  }

  /** @param {number} factor @param {number} [clientX] @param {number} [clientY] where it is looked at */
  zoom(factor, clientX, clientY) {
    const frame = this.element.getBoundingClientRect();
    const atX = clientX === undefined ? 0.5 : (clientX - frame.left) / frame.width;
    const atY = clientY === undefined ? 0.5 : (clientY - frame.top) / frame.height;
    const width = Math.min(this.home.width, Math.max(this.home.width / MOST, this.box.width / factor));
    const height = (width / this.home.width) * this.home.height;
    this.box = {
      x: this.box.x + (this.box.width - width) * atX,
      y: this.box.y + (this.box.height - height) * atY,
      width,
      height,
    };
    this.keepInside();
  }

  reset() {
    this.box = { ...this.home };
    this.look();
  }

  /** @param {number} dx @param {number} dy in pixels of the screen */
  pan(dx, dy) {
    const frame = this.element.getBoundingClientRect();
    this.box.x -= (dx / frame.width) * this.box.width;
    this.box.y -= (dy / frame.height) * this.box.height;
    this.keepInside();
  }

  keepInside() {
    const { home, box } = this;
    box.x = Math.min(Math.max(box.x, home.x), home.x + home.width - box.width);
    box.y = Math.min(Math.max(box.y, home.y), home.y + home.height - box.height);
    this.look();
  }

  /** @param {PointerEvent} event */
  press(event) {
    if (this.fingers.size === 0) this.travelled = 0;
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  /** @param {PointerEvent} event */
  drag(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    const others = [...this.fingers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
    this.travelled += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
    this.fingers.set(event.pointerId, now);
    if (others.length === 1) {
      const [other] = others;
      const far = (/** @type {{ x: number, y: number }} */ place) => Math.hypot(place.x - other.x, place.y - other.y) || 1;
      this.travelled += TAP;
      this.zoom(far(now) / far(before), (now.x + other.x) / 2, (now.y + other.y) / 2);
    } else if (this.travelled > TAP) {
      this.element.setPointerCapture(event.pointerId);
      this.pan(now.x - before.x, now.y - before.y);
    }
  }

  /** @param {PointerEvent} event */
  release(event) {
    if (this.fingers.delete(event.pointerId) && this.travelled <= TAP && event.button === 0) {
      const near = this.near(event.clientX, event.clientY, event.pointerType === "touch" ? REACH : REACH / 3);
      if (near.length) this.onPoint(near, event.clientX, event.clientY);
    }
  }

  /** The lit marks at a place, or, if there are none, around it, nearest first. @param {number} x @param {number} y @param {number} reach */
  near(x, y, reach) {
    /** @type {Set<string>} */
    const found = new Set();
    for (const radius of [0, reach / 3, (2 * reach) / 3, reach]) {
      for (let step = 0; step < (radius ? 12 : 1); step++) {
        const angle = (step / 12) * 2 * Math.PI;
        for (const element of document.elementsFromPoint(x + radius * Math.cos(angle), y + radius * Math.sin(angle))) {
          const marked = this.element.contains(element) ? element.closest("[data-mark]") : null;
          for (let one = marked; one; one = one.parentElement?.closest("[data-mark]") ?? null) {
            const mark = one.getAttribute("data-mark") || "";
            if (this.lit.has(mark)) found.add(mark);
          }
        }
      }
      if (radius === 0 && found.size === 1 && reach < REACH) break;
    }
    return [...found];
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    if (!event.ctrlKey && !event.metaKey) return; // the wheel scrolls the page; with the key, or a pinch, it zooms
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY / 200), event.clientX, event.clientY);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const step = 60;
    /** @type {Record<string, () => void>} */
    const keys = {
      "+": () => this.zoom(1.4),
      "=": () => this.zoom(1.4),
      "-": () => this.zoom(1 / 1.4),
      0: () => this.reset(),
      ArrowLeft: () => this.pan(step, 0),
      ArrowRight: () => this.pan(-step, 0),
      ArrowUp: () => this.pan(0, step),
      ArrowDown: () => this.pan(0, -step),
    };
    const isZoomed = this.box.width < this.home.width;
    if (!keys[event.key] || event.ctrlKey || event.metaKey || (event.key.startsWith("Arrow") && !isZoomed)) return;
    event.preventDefault();
    keys[event.key]();
  }
}
