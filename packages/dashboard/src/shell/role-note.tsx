import type { Role } from '@overworld/contract/operation';
import { Dimmed } from '../ui/text.tsx';
import { useGame } from './game.ts';

/** Says why controls are disabled. Shows nothing to readers who have the role. */
export function RoleNote({ role }: { role: Role }) {
  const { can } = useGame();
  if (can(role)) return null;
  return <Dimmed>You need the role {role} to change this.</Dimmed>;
}
