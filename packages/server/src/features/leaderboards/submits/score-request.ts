import { MAX_METADATA_BYTES, submitScore } from '@overworld/contract/leaderboards/leaderboards';
import type { BodyOf } from '@overworld/contract/operation';
import { ApiError } from '../../../platform/errors.ts';
import { textOf } from '../../../platform/json/json-scan.ts';
import { readJsonBody } from '../../../platform/json/parse-json.ts';
import { compileBody } from '../../../platform/http/validation.ts';
import { writeEntryMembers } from '../store.ts';
import type { Submit, Submitted } from './decide-submits.ts';

const validate = compileBody(submitScore.body);

/**
 * Reads the body of a request that submits a score. `metadata`
 * is cut out of the body as text, and never serialised again.
 * @throws ApiError 400 that names the invalid field, or 413 with the size of `metadata` if it is too large.
 */
export function readSubmit(bytes: Buffer): Omit<
  Submit,
  'board' | 'player_id' | 'sender' | 'limit_reached'
> & {
  board_name: string;
  player_id: string | undefined;
} {
  const { value: body, scan } = readJsonBody(bytes, 'metadata');
  validate(body);
  const { board_name, player_id, score, player_name, metadata } = body as BodyOf<
    typeof submitScore
  >;
  return {
    board_name,
    player_id,
    // Turns -0 into 0, as JSON.stringify does.
    score: score + 0,
    player_name: player_name ?? null,
    metadata: metadata === undefined ? null : readMetadata(bytes, scan.member_place),
  };
}

function readMetadata(bytes: Buffer, [start, end]: readonly number[]): string {
  const size_bytes = end! - start!;
  if (size_bytes <= MAX_METADATA_BYTES) return textOf(bytes, start!, end!);
  throw new ApiError(413, `metadata exceeds ${MAX_METADATA_BYTES / 1024}KB limit`, {
    size_bytes,
    limit_bytes: MAX_METADATA_BYTES,
  });
}

/** Writes the answer to a submit as JSON. */
export function writeSubmitted(board_name: string, submitted: Submitted): string {
  const { entry, rank, updated, total_entries } = submitted;
  return `{"board_name":${JSON.stringify(board_name)},"rank":${rank},${writeEntryMembers(entry)},"updated":${updated},"total_entries":${total_entries}}`;
}
