import type { DefinitionsByKey } from '../../platform/definitions/definition-kind.ts';
import type { Pause } from '../../platform/pauses.ts';
import { readUses } from '../../platform/reports/query-uses.ts';

/**
 * Finds segments that use each other in a circle. Nobody can list the players of such a segment.
 * @param changed Only a circle with one of these counts: the page of segments saves them unchecked, so a game may
 * have circles.
 * @returns the names in the order of the uses, the first one again at the end; null if there is no circle.
 */
export async function findCircle(
  segments: DefinitionsByKey,
  changed: ReadonlySet<string>,
  pause: Pause,
): Promise<string[] | null> {
  const known = new Set<string>();
  const listUsed = async (name: string): Promise<string[]> => {
    await pause();
    known.add(name);
    const { query } = segments.get(name)!;
    return [...readUses(query as string).segments].filter((it) => segments.has(it));
  };
  for (const start of changed) {
    if (known.has(start)) continue;
    // The walk goes in depth, without recursion: a folder may have a chain of thousands.
    const path = [start];
    const left = [await listUsed(start)];
    while (path.length > 0) {
      const next = left.at(-1)!.pop();
      if (next === undefined) {
        path.pop();
        left.pop();
        continue;
      }
      const place = path.indexOf(next);
      const circle = place === -1 ? [] : path.slice(place);
      if (circle.some((name) => changed.has(name))) return [...circle, next];
      if (known.has(next)) continue;
      path.push(next);
      left.push(await listUsed(next));
    }
  }
  return null;
}
