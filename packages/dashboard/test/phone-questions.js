// Runs in the page. Asks what a thumb and an eye ask of a phone, and answers with the problems in words.

/** The least width and height of a target, in pixels. */
const LEAST_TARGET = 24;
/** The least room between two texts side by side, in pixels. */
const LEAST_ROOM = 4;

const TARGETS = ['a[href]', 'button', 'input', 'select', 'textarea', 'summary', '[role=button]'];
const HIDDEN = '.visually-hidden, .skip-link, [aria-hidden=true]';

const isShown = (element) =>
  element.checkVisibility({ visibilityProperty: true }) && !element.closest(HIDDEN);

const describe = (element) =>
  `${element.tagName} “${(element.ariaLabel || element.textContent).trim().slice(0, 40)}”`;

/** Finds targets that are too small for a thumb. Links within a sentence are as high as its lines. */
globalThis.findSmallTargets = () => {
  const isInSentence = (link) =>
    getComputedStyle(link).display === 'inline' &&
    [...link.parentElement.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim());
  /** A field is hit on its label too, and a field for pills anywhere in its frame. */
  const boxesOf = (target) =>
    [target, ...(target.labels ?? []), target.closest('.mantine-Input-input')]
      .filter((part) => part !== null)
      .map((part) => part.getBoundingClientRect());
  return [...document.querySelectorAll(`main :is(${TARGETS.join()})`)]
    .filter((target) => isShown(target) && !target.disabled && target.offsetWidth > 0)
    .filter((target) => target.tagName !== 'A' || !isInSentence(target))
    .filter((target) =>
      boxesOf(target).every(({ width, height }) => Math.min(width, height) < LEAST_TARGET - 0.1),
    )
    .map((target) => {
      const { width, height } = target.getBoundingClientRect();
      return `${describe(target)} is ${width.toFixed()} × ${height.toFixed()} pixels`;
    });
};

/** Finds the lines of text in the page, each with the box in which it is visible. */
function readLines() {
  const lines = [];
  const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || !isShown(element) || element.closest('textarea, option')) continue;
    let block = element;
    while (getComputedStyle(block).display.startsWith('inline')) block = block.parentElement;
    let frame = element;
    while (frame !== document.body && getComputedStyle(frame).overflowX === 'visible') {
      frame = frame.parentElement;
    }
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      if (box.width >= 1) lines.push({ text: node.data.trim().slice(0, 40), block, frame, box });
    }
  }
  return lines;
}

/** Finds texts that end at an edge. A name that ends with an ellipsis and a place that scrolls are fine. */
globalThis.findCutTexts = () =>
  readLines()
    .filter(({ frame, box }) => {
      const { left, right } = frame.getBoundingClientRect();
      if (box.right <= right + 1 && box.left >= left - 1) return false;
      const { overflowX, textOverflow, webkitLineClamp } = getComputedStyle(frame);
      const hasEllipsis = textOverflow === 'ellipsis' || webkitLineClamp !== 'none';
      return !hasEllipsis && !/auto|scroll/.test(overflowX);
    })
    .map(({ text, frame }) => `“${text}” is cut by ${frame.className}`);

/** Finds texts of different boxes that stand in the same line without room between them. */
globalThis.findTouchingTexts = () => {
  const lines = readLines()
    .map(({ text, block, frame, box }) => {
      const edge = frame.getBoundingClientRect();
      const [start, end] = [Math.max(box.left, edge.left), Math.min(box.right, edge.right)];
      const [top, bottom] = [Math.max(box.top, edge.top), Math.min(box.bottom, edge.bottom)];
      return { text, block, start, end, top, bottom };
    })
    // The cell in sight covers the cells that scroll below it.
    .filter(({ block, start, end }) => end > start && !block.closest('th, [class*=kept]'))
    .sort((a, b) => a.start - b.start);
  return lines.flatMap((line, at) =>
    lines
      .slice(at + 1)
      .filter((next) => next.block !== line.block && next.start - line.end < LEAST_ROOM)
      .filter((next) => Math.min(line.bottom, next.bottom) - Math.max(line.top, next.top) > 4)
      .map((next) => `“${line.text}” touches “${next.text}”`),
  );
};

/** Finds the buttons that submit an open dialog and cannot be hit where the dialog now stands. */
globalThis.findHiddenSubmits = () =>
  [...document.querySelectorAll('[role=dialog] button[type=submit]')]
    .filter((button) => {
      const { left, top, width, height } = button.getBoundingClientRect();
      const hit = document.elementFromPoint(left + width / 2, top + height / 2);
      return !button.contains(hit);
    })
    .map((button) => `${describe(button)} is not in view`);
