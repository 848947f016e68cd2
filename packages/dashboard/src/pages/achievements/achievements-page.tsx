import { useDisclosure } from '@mantine/hooks';
import { useRead } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { countOf, formatCount } from '../../ui/format.ts';
import { AddButton } from '../../ui/buttons.tsx';
import { useOpenedItem } from '../../ui/opened-item.ts';
import { Card, EmptyCard, Loaded, Page } from '../../ui/page.tsx';
import { AchievementList } from './achievement-list.tsx';
import type { Achievement } from './achievement-list.tsx';
import { AchievementForm } from './achievement-form.tsx';
import { Grants } from './grants.tsx';
import { FormDialog } from '../../ui/forms/dialogs.tsx';

export function Component() {
  const { environment, inEnvironment, can } = useGame();
  const catalogue = useRead('GET /v1/games/{game_id}/achievements', inEnvironment());
  const [creating, dialog] = useDisclosure();
  const item = useOpenedItem();
  const edited =
    can('developer') && catalogue.data?.achievements.find(({ key }) => key === item.opened);
  const edit = ({ key }: Achievement) => item.open(key);
  const names = new Map(catalogue.data?.achievements.map(({ key, name }) => [key, name]));
  const createButton = can('developer') && (
    <AddButton onClick={dialog.open}>New achievement</AddButton>
  );

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
            <EmptyCard title="No achievements yet" action={createButton}>
              Create one for something worth earning. Your game unlocks it by its key.
            </EmptyCard>
          ) : (
            <>
              <Card
                flush
                title={`${countOf(current.length, 'achievement')}, ${formatCount(points)} points, ${countOf(player_count, 'player')}`}
              >
                <AchievementList achievements={current} player_count={player_count} onEdit={edit} />
              </Card>
              {archived.length > 0 && (
                <div style={{ marginTop: 16 }}>
                  <Card flush title="Archived">
                    <AchievementList
                      achievements={archived}
                      player_count={player_count}
                      onEdit={edit}
                    />
                  </Card>
                </div>
              )}
            </>
          );
        }}
      </Loaded>
      <div style={{ marginTop: 16 }}>
        <Grants names={names} />
      </div>
      <FormDialog opened={creating} onClose={dialog.close} title="New achievement">
        <AchievementForm edited={null} />
      </FormDialog>
      <FormDialog opened={Boolean(edited)} onClose={item.close} title="Edit achievement">
        {edited && <AchievementForm key={edited.key} edited={edited} />}
      </FormDialog>
    </Page>
  );
}
