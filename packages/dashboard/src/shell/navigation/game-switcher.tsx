import { Menu, ScrollArea } from '@mantine/core';
import { useNavigate } from 'react-router';
import { useRequired } from '../../api/hooks.ts';
import { ContourGlyph } from '../../ui/contours/contour-glyph.tsx';
import { IconCheck, IconPlus, IconSelector } from '../../ui/icons.ts';
import { gamePath, useGame } from '../game.ts';
import classes from '../shell.module.css';

/** Names the game and leads to the others. */
export function GameSwitcher() {
  const { game, environment } = useGame();
  const { games } = useRequired('GET /v1/games', {});
  const navigate = useNavigate();
  return (
    <Menu width={260} position="bottom-start" shadow="md">
      <Menu.Target>
        <button
          type="button"
          className={classes.link}
          aria-label={`Game: ${game.name}. Switch game`}
        >
          <ContourGlyph seed={game.id} size={26} />
          <span className={`${classes.linkText} truncate`} style={{ fontWeight: 600 }}>
            {game.name}
          </span>
          <IconSelector size={16} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <ScrollArea.Autosize mah={360}>
          {games.map(({ id, name }) => (
            <Menu.Item
              key={id}
              leftSection={<ContourGlyph seed={id} size={22} />}
              rightSection={id === game.id ? <IconCheck size={16} aria-label="current" /> : null}
              onClick={() => navigate(gamePath(id, environment))}
            >
              <span className="truncate" style={{ maxWidth: 160 }}>
                {name}
              </span>
            </Menu.Item>
          ))}
        </ScrollArea.Autosize>
        <Menu.Divider />
        <Menu.Item leftSection={<IconPlus size={18} />} onClick={() => navigate('/games/new')}>
          New game
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
