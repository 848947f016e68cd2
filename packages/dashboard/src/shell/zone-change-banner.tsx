import { IconClock } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useRead } from '../api/hooks.ts';
import { formatShare } from '../ui/format.ts';
import { notify } from '../ui/notify.tsx';
import { useGame } from './game.ts';
import classes from './shell.module.css';

const EVERY_MS = 1_000;

/** Says that reports still use the days of the old time zone, while the change to the new zone runs. */
export function ZoneChangeBanner() {
  const { game } = useGame();
  const change = game.time_zone_change;
  const next = change?.time_zone ?? null;
  useRead('GET /v1/games', {}, { enabled: next !== null, every: EVERY_MS });
  useArrival(next, game.time_zone);
  if (change === null) return null;
  return (
    <div className={classes.notice} role="status">
      <IconClock size={16} aria-hidden style={{ flex: 'none' }} />
      <span>
        The days of this game are moving to {change.time_zone}: {formatShare(change.progress)} done.
        Until then reports keep the days of {game.time_zone}. New events are safe, and show at the
        end.
      </span>
    </div>
  );
}

/** When the change of the time zone is complete, shows a message and loads all reports again. */
function useArrival(next: string | null, time_zone: string): void {
  const client = useQueryClient();
  const before = useRef(next);
  useEffect(() => {
    if (before.current === time_zone && next === null) {
      notify.done(`Days are now those of ${time_zone}`);
      void client.invalidateQueries();
    }
    before.current = next;
  }, [client, next, time_zone]);
}
