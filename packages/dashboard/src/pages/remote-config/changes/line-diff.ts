/** A line that is only in the old text, only in the new text, or in both. */
export interface DiffLine {
  kind: 'removed' | 'added' | 'same';
  text: string;
}

/**
 * The diff first sets aside the lines that both texts have in common at the beginning and at the end. It then
 * compares each remaining old line with each remaining new line. This is the maximum number of such pairs.
 * With more pairs, nothing is compared: all remaining old lines count as removed, and all remaining new lines
 * as added.
 */
const MAX_PAIRS = 1_000_000;

/** Lists the lines of both texts in order, with as few removed and added lines as possible. */
export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const same = (text: string): DiffLine => ({ kind: 'same', text });
  return [
    ...before.slice(0, head).map(same),
    ...diffMiddle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...before.slice(before.length - tail).map(same),
  ];
}

function diffMiddle(before: readonly string[], after: readonly string[]): DiffLine[] {
  const lines: DiffLine[] = [];
  const width = after.length + 1;
  const isTooLarge = before.length * after.length > MAX_PAIRS;
  // The item at `b * width + a` is the length of a longest common subsequence. It belongs to the old lines
  // from line `b` on and the new lines from line `a` on.
  const common = new Uint32Array(isTooLarge ? 0 : (before.length + 1) * width);
  if (!isTooLarge) {
    for (let b = before.length - 1; b >= 0; b--) {
      for (let a = after.length - 1; a >= 0; a--) {
        common[b * width + a] =
          before[b] === after[a]
            ? common[(b + 1) * width + a + 1]! + 1
            : Math.max(common[(b + 1) * width + a]!, common[b * width + a + 1]!);
      }
    }
  }
  let [b, a] = [0, 0];
  while (b < before.length || a < after.length) {
    if (!isTooLarge && b < before.length && a < after.length && before[b] === after[a]) {
      lines.push({ kind: 'same', text: before[b++]! });
      a++;
    } else if (
      a === after.length ||
      (b < before.length &&
        (isTooLarge || common[(b + 1) * width + a]! >= common[b * width + a + 1]!))
    ) {
      lines.push({ kind: 'removed', text: before[b++]! });
    } else {
      lines.push({ kind: 'added', text: after[a++]! });
    }
  }
  return lines;
}
