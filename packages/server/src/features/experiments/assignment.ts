import { hash } from 'node:crypto';

interface Assigned {
  id: string;
  /** The percentage of all players that take part in the experiment. */
  share: number;
  variants: readonly { weight: number }[];
}

/**
 * Returns the index of a player's variant, or null if the player is not in the share of players that take
 * part. The result depends only on the two ids, the share and the weights. So it need not be stored, and is
 * the same on all servers.
 */
export function chooseVariant({ id, share, variants }: Assigned, player_id: string): number | null {
  const digest = hash('sha256', `${id}\0${player_id}`, 'buffer');
  // The digest has one part for the share and another for the variant, so a player keeps the variant when the
  // share is raised.
  if ((digest.readUIntBE(0, 6) / 2 ** 48) * 100 >= share) return null;
  const total_weight = variants.reduce((sum, { weight }) => sum + weight, 0);
  let place = (digest.readUIntBE(6, 6) / 2 ** 48) * total_weight;
  return variants.findIndex(({ weight }) => (place -= weight) < 0);
}
