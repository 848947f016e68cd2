import { Text } from '@mantine/core';
import { useChange, useRead } from '../../api/hooks.ts';
import { Ago } from '../../ui/ago.tsx';
import { Card, Loaded } from '../../ui/page.tsx';
import { BrowserList } from './browser-list.tsx';

/** The browsers from which the owner can log in while failed logins of others lock the account. */
export function DevicesCard() {
  const known = useRead('GET /v1/auth/devices', {});
  const forget = useChange('DELETE /v1/auth/devices/{device_id}');
  return (
    <Card title="Known browsers">
      <Text size="sm" c="dimmed" mb="sm">
        When others guess at your password, your account is locked for a while. You can still log in
        from a browser in which you have logged in before.
      </Text>
      <Loaded query={known}>
        {({ devices }) =>
          devices.length === 0 ? (
            <Text size="sm">None yet: a browser is known after its next login.</Text>
          ) : (
            <BrowserList
              label="Known browsers"
              rows={devices}
              describe={({ last_used_at }) => (
                <>
                  last login <Ago at={last_used_at} />
                </>
              )}
              action="Forget"
              offersCurrent
              title="Forget this browser?"
              confirmation="Forget browser"
              consequence="stays logged in. It is known again after its next login."
              onConfirm={(device_id) => forget.mutateAsync({ params: { device_id } })}
            />
          )
        }
      </Loaded>
    </Card>
  );
}
