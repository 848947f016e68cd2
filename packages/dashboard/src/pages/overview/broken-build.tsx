import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { useRead } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { QualityNews } from '../events/quality-news.tsx';
import { findNews } from '../events/quality-problems.ts';

const UPDATE_EVERY_MS = 30_000;

/** Warns of events that are worse today than before, as after a broken build; else renders nothing. */
export function BrokenBuild() {
  const { game_id, environment, path } = useGame();
  const { data } = useRead(
    'GET /v1/games/{game_id}/analytics/data-quality',
    { params: { game_id }, query: { environment } },
    { every: UPDATE_EVERY_MS },
  );
  if (data === undefined || findNews(data.days, data.to).length === 0) return null;
  return (
    <QualityNews quality={data} isToday>
      <Anchor component={Link} to={path('events?tab=quality')} size="sm">
        Data quality
      </Anchor>
    </QualityNews>
  );
}
