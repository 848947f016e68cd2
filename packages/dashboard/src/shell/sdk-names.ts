import type { Answer } from '../api/operations.ts';

type Sdk = Answer<'GET /v1/games/{game_id}/sdk-versions'>['sdk_versions'][number]['sdk'];

/** The names of the SDKs in words. */
export const SDK_NAMES: Record<Sdk, string> = {
  typescript: 'TypeScript',
  godot: 'Godot',
  unity: 'Unity',
  server: 'Studio server',
};
