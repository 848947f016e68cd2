import { Link, useLocation } from 'react-router';
import { ENVIRONMENT_NAMES, ENVIRONMENTS, gamePath, useGame } from '../game.ts';
import classes from './environment-switch.module.css';

/**
 * Returns the list to which a page belongs. From the page of one item, such as a player, the switch leads to
 * this list in the other environment.
 */
const listOf = (page: string) => page.split('/')[0] ?? 'overview';

/** Names the environment, and leads to the same page in the other environment. */
export function EnvironmentSwitch() {
  const { game_id, environment } = useGame();
  const { pathname } = useLocation();
  const page = listOf(pathname.split('/').slice(4).join('/'));
  return (
    <nav className={classes.switch} aria-label="Environment">
      {ENVIRONMENTS.map((name) => (
        <Link
          key={name}
          to={gamePath(game_id, name, page)}
          data-environment={name}
          aria-current={name === environment}
        >
          <EnvironmentDot environment={name} />
          {ENVIRONMENT_NAMES[name]}
        </Link>
      ))}
    </nav>
  );
}

/** A dot that is solid for production and hatched for development. */
export function EnvironmentDot({ environment }: { environment: string }) {
  return <span className={classes.dot} data-environment={environment} aria-hidden />;
}
