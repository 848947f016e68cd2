import { hash } from 'node:crypto';

interface Assigned {
  id: string;
  /** The percentage of the players who take part. */
  share: number;
  variants: readonly { weight: number }[];
}

/**
 * Returns the index of a player's variant, or null for a player outside the share.
 * The variant depends only on the ids of the experiment and the player, the share
 * and the weights, so it need not be stored and is the same on all servers.
 */
export function chooseVariant({ id, share, variants }: Assigned, player_id: string): number | null {
  const digest = hash('sha256', `${id}\0${player_id}`, 'buffer');
  // Share and variant use two parts of the digest, so a player keeps the variant when the share is raised.
  if ((digest.readUIntBE(0, 6) / 2 ** 48) * 100 >= share) return null;
  const total_weight = variants.reduce((sum, { weight }) => sum + weight, 0);
  let place = (digest.readUIntBE(6, 6) / 2 ** 48) * total_weight;
  return variants.findIndex(({ weight }) => (place -= weight) < 0);
}
