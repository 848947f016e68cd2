import { MAX_METADATA_BYTES, submitScore } from '@overworld/contract/leaderboards';
import type { BodyOf } from '@overworld/contract/operation';
import { ApiError } from '../../platform/errors.ts';
import { sliceMember } from '../../platform/http/json-member.ts';
import { parseJson, refuseUnstorable } from '../../platform/http/json-text.ts';
import { compileBody } from '../../platform/http/validation.ts';
import type { Submit } from './ranking.ts';

const validate = compileBody(submitScore.body);

/**
 * Reads the body of a submit; metadata is cut out of the text, never rebuilt.
 * @throws ApiError 400 naming the field, 413 with the size of `metadata`.
 */
export function readSubmit(
  text: string,
): Omit<Submit, 'board' | 'limit_reached'> & { board_name: string } {
  const body = parseJson(text);
  refuseUnstorable(body, text);
  validate(body);
  const { board_name, player_id, score, player_name, metadata } = body as BodyOf<
    typeof submitScore
  >;
  return {
    board_name,
    player_id,
    // Of the two zeros only one is kept, as in JSON.stringify.
    score: score + 0,
    player_name: player_name ?? null,
    metadata: metadata === undefined ? null : readMetadata(text),
  };
}

function readMetadata(text: string): string {
  const metadata = sliceMember(text, 'metadata')!.text;
  const size_bytes = Buffer.byteLength(metadata);
  if (size_bytes <= MAX_METADATA_BYTES) return metadata;
  throw new ApiError(413, `metadata exceeds ${MAX_METADATA_BYTES / 1024}KB limit`, {
    size_bytes,
    limit_bytes: MAX_METADATA_BYTES,
  });
}
