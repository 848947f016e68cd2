import { showName } from '../ui/shown-name.ts';
import type { PlayerGroup } from './players/player-selection.ts';

/** Names a group in words. */
export function groupWords({ kind, value }: PlayerGroup): string {
  if (kind === 'other') return 'All others';
  if (kind === 'none') return 'Not set';
  return value === '' ? '""' : showName(value);
}
