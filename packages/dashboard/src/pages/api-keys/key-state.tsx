import { Group } from '@mantine/core';
import type { Answer } from '../../api/operations.ts';
import { Ago } from '../../ui/time/moment.tsx';
import { RowButton } from '../../ui/buttons.tsx';

export type ApiKey = Answer<'GET /v1/games/{game_id}/api-keys'>['api_keys'][number];

interface KeyStateProps {
  apiKey: ApiKey;
  /** True if the reader may change the key. */
  mayChange: boolean;
  onRotate: () => void;
  onRevoke: () => void;
}

/** Shows the end of a key, past or planned, and the buttons that end the key. */
export function KeyState({ apiKey, mayChange, onRotate, onRevoke }: KeyStateProps) {
  const { name, prefix, revoked_at, expires_at } = apiKey;
  if (revoked_at) return <Over word="revoked" at={revoked_at} />;
  if (expires_at && Date.parse(expires_at) <= Date.now()) {
    return <Over word="expired" at={expires_at} />;
  }
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      {expires_at ? (
        <span style={{ whiteSpace: 'nowrap' }}>
          ends <Ago at={expires_at} />
        </span>
      ) : (
        mayChange && (
          <RowButton onClick={onRotate} aria-label={`Rotate ${name}`}>
            Rotate
          </RowButton>
        )
      )}
      {mayChange && (
        <RowButton
          danger
          onClick={onRevoke}
          aria-label={expires_at ? `End now: ${name} (${prefix}…)` : `Revoke ${name}`}
        >
          {expires_at ? 'End now' : 'Revoke'}
        </RowButton>
      )}
    </Group>
  );
}

function Over({ word, at }: { word: string; at: string }) {
  return (
    <span style={{ color: 'var(--mantine-color-dimmed)', whiteSpace: 'nowrap' }}>
      {word} <Ago at={at} />
    </span>
  );
}
