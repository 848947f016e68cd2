interface Hill {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * Draws a map of made-up ground as contour lines. The same seed gives the same map.
 * @returns an SVG path for each level, the lowest first, in a square of `size` units.
 */
export function drawContours(
  seed: string,
  options: {
    size: number;
    /** The number of steps of the height field along each side. */
    cells: number;
    hills: number;
    levels: number;
    /** The width of hills and their largest distance from the middle, as shares of the square's side. */
    hillWidth: number;
    spread: number;
  },
): string[] {
  const { size, cells, levels } = options;
  const heights = sampleHeights(makeHills(seed, options), cells);
  const highest = Math.max(...heights.flat());
  return Array.from({ length: levels }, (_, index) => {
    const level = (highest * (index + 0.7)) / (levels + 0.4);
    return traceLevel(heights, level, size / cells);
  });
}

function makeHills(
  seed: string,
  { hills, hillWidth, spread }: { hills: number; hillWidth: number; spread: number },
): Hill[] {
  const random = seededRandom(seed);
  const place = () => 0.5 + (random() - 0.5) * 2 * spread;
  return Array.from({ length: hills }, (_, index) => ({
    // The first hill is in the middle, so small maps show an island.
    x: index === 0 ? 0.5 : place(),
    y: index === 0 ? 0.5 : place(),
    width: hillWidth * (0.65 + random() * 0.7),
    height: index === 0 ? 1 : 0.35 + random() * 0.6,
  }));
}

function sampleHeights(hills: Hill[], cells: number): number[][] {
  const at = (x: number, y: number) =>
    hills.reduce((sum, hill) => {
      const distance = (x - hill.x) ** 2 + (y - hill.y) ** 2;
      return sum + hill.height * Math.exp(-distance / (2 * hill.width ** 2));
    }, 0);
  const steps = Array.from({ length: cells + 1 }, (_, index) => index / cells);
  return steps.map((y) => steps.map((x) => at(x, y)));
}

/** Draws a line in each cell between the edges that the level crosses (marching squares). */
function traceLevel(heights: number[][], level: number, scale: number): string {
  let path = '';
  for (let row = 0; row + 1 < heights.length; row++) {
    for (let column = 0; column + 1 < heights.length; column++) {
      const corners = [
        [column, row],
        [column + 1, row],
        [column + 1, row + 1],
        [column, row + 1],
      ].map(([x, y]) => ({ x: x!, y: y!, height: heights[y!]![x!]! }));
      const crossings = corners.flatMap((from, index) => {
        const to = corners[(index + 1) % 4]!;
        if (from.height < level === to.height < level) return [];
        const part = (level - from.height) / (to.height - from.height);
        const x = (from.x + (to.x - from.x) * part) * scale;
        const y = (from.y + (to.y - from.y) * part) * scale;
        return [`${x.toFixed(1)} ${y.toFixed(1)}`];
      });
      for (let index = 0; index + 1 < crossings.length; index += 2) {
        path += `M${crossings[index]}L${crossings[index + 1]}`;
      }
    }
  }
  return path;
}

/**
 * Makes a function that returns random numbers from 0 to 1.
 * The seed determines the numbers (FNV-1a, then mulberry32).
 */
function seededRandom(seed: string): () => number {
  let state = 0x811c9dc5;
  for (const character of seed) {
    state = Math.imul(state ^ character.codePointAt(0)!, 0x01000193);
  }
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
