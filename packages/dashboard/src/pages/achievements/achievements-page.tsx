import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useRead } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { countOf, formatCount } from '../../ui/format.ts';
import { AddButton } from '../../ui/add-button.tsx';
import { Card, Loaded, Page } from '../../ui/page.tsx';
import { AchievementDialog } from './achievement-dialog.tsx';
import { AchievementList } from './achievement-list.tsx';
import type { Achievement } from './achievement-list.tsx';

export function Component() {
  const { environment, inEnvironment, can } = useGame();
  const catalogue = useRead('GET /v1/games/{game_id}/achievements', inEnvironment());
  const [opened, dialog] = useDisclosure();
  const [edited, setEdited] = useState<Achievement | null>(null);

  const create = () => {
    setEdited(null);
    dialog.open();
  };
  const edit = (achievement: Achievement) => {
    setEdited(achievement);
    dialog.open();
  };
  const createButton = can('developer') && <AddButton onClick={create}>New achievement</AddButton>;

  return (
    <Page
      title="Achievements"
      lead={`Both environments share these achievements. The percentages count players in ${environment}.`}
      actions={createButton}
    >
      <Loaded query={catalogue}>
        {({ achievements, player_count }) => {
          const current = achievements.filter(({ archived }) => !archived);
          const archived = achievements.filter((each) => each.archived);
          const points = current.reduce((sum, each) => sum + each.points, 0);
          return achievements.length === 0 ? (
            <Card>
              <EmptyState title="No achievements yet" action={createButton}>
                Create one for something worth earning. Your game unlocks it by its key.
              </EmptyState>
            </Card>
          ) : (
            <>
              <Card
                flush
                title={`${countOf(current.length, 'achievement')}, ${formatCount(points)} points, ${countOf(player_count, 'player')}`}
              >
                <AchievementList achievements={current} onEdit={edit} />
              </Card>
              {archived.length > 0 && (
                <div style={{ marginTop: 16 }}>
                  <Card flush title="Archived">
                    <AchievementList achievements={archived} onEdit={edit} />
                  </Card>
                </div>
              )}
            </>
          );
        }}
      </Loaded>
      <AchievementDialog opened={opened} onClose={dialog.close} edited={edited} />
    </Page>
  );
}
