import { useQuery } from '@tanstack/react-query';
import { download } from '../../../api/client.ts';
import { useGame } from '../../../shell/game.ts';
import { cutData } from './json-text.ts';

const READ = 'GET /v1/games/{game_id}/players/{player_id}/saves/{version}';

/** A version of a save that is being edited. */
export interface EditedVersion {
  version: number;
  /** The data of the version, exactly as it is stored. */
  text: string;
}

/** Names one save of a player. */
export interface SavePlace {
  player_id: string;
  slot: string;
}

/**
 * Returns a function that loads a version of a save as text, because parsing would change numbers with
 * many digits.
 */
export function useReadText({ player_id, slot }: SavePlace) {
  const { inEnvironment } = useGame();
  return async (version: number): Promise<EditedVersion> => {
    const answer = await download(READ, inEnvironment({ player_id, version }, { slot }));
    return { version, text: cutData(await answer.text()) };
  };
}

/**
 * Loads the text of a version only once, so that a later save by the game does not replace what the reader
 * has edited.
 */
export function useSaveText(save: SavePlace, version: number) {
  const { game_id, environment } = useGame();
  const readText = useReadText(save);
  return useQuery({
    queryKey: ['text of a save', game_id, environment, save, version],
    queryFn: () => readText(version),
    staleTime: Infinity,
  });
}
