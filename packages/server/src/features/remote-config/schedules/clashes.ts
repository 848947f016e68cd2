import { conflict } from '../../../platform/errors.ts';
import type { ListedSchedule } from './store.ts';

type Span = Pick<ListedSchedule, 'id' | 'keys' | 'starts_at' | 'ends_at'>;

/**
 * Refuses a scheduled change if another change sets the same parameter at the same time. A change without an
 * end sets its parameters only at its start. A change may begin at the moment at which another change ends.
 * @param open The coming and running changes of the environment, in the order of their starts.
 * @throws ApiError 409 that names the first conflicting change.
 */
export function requireNoClash(open: readonly ListedSchedule[], changed: Span): void {
  const [from, until] = timesOf(changed);
  for (const other of open) {
    if (other.id === changed.id) continue;
    const [start, end] = timesOf(other);
    const key = changed.keys.find((each) => other.keys.includes(each));
    if (key === undefined || from >= end || start >= until) continue;
    const when =
      other.ends_at === null
        ? `at ${other.starts_at}`
        : `from ${other.starts_at} to ${other.ends_at}`;
    throw conflict(`${key} is changed by "${other.name}" ${when}`, { schedule_id: other.id, key });
  }
}

function timesOf({ starts_at, ends_at }: Span): [from: number, until: number] {
  const start = Date.parse(starts_at);
  return [start, ends_at === null ? start + 1 : Date.parse(ends_at)];
}
