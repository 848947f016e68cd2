import { useGame } from '../../shell/game.ts';
import { TextLink } from '../../ui/text-link.tsx';
import { QualityNews } from '../events/quality-news.tsx';
import type { Answer } from '../../api/operations.ts';
import { findNews } from '../events/quality-problems.ts';

type Quality = Answer<'GET /v1/games/{game_id}/analytics/data-quality'>;

/** Warns of events that are worse today than before, as after a broken build; else renders nothing. */
export function BrokenBuild({ quality }: { quality: Quality | undefined }) {
  const { path } = useGame();
  if (quality === undefined || findNews(quality.days, quality.to).length === 0) return null;
  return (
    <QualityNews quality={quality} isToday>
      <TextLink to={path('events?tab=quality')}>Data quality</TextLink>
    </QualityNews>
  );
}
