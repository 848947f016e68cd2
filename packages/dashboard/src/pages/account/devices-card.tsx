import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useChange, useRead } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { Ago } from '../../ui/ago.tsx';
import { Confirm } from '../../ui/forms/confirm.tsx';
import { Card, Loaded } from '../../ui/page.tsx';
import { BrowserRow, BrowserRows } from './browser-row.tsx';

type Device = Answer<'GET /v1/auth/devices'>['devices'][number];

/** Browsers that failed logins of others do not lock out. */
export function DevicesCard() {
  const devices = useRead('GET /v1/auth/devices', {});
  const forget = useChange('DELETE /v1/auth/devices/{device_id}');
  const [deviceToForget, setDeviceToForget] = useState<Device | null>(null);

  return (
    <Card title="Known browsers">
      <Text size="sm" c="dimmed" mb="sm">
        When others guess at your password, your account is locked for a while. You can still log in
        from a browser in which you have logged in before.
      </Text>
      <Loaded query={devices}>
        {({ devices: rows }) =>
          rows.length === 0 ? (
            <Text size="sm">None yet: a browser is known after its next login.</Text>
          ) : (
            <BrowserRows label="Known browsers">
              {rows.map((row) => (
                <BrowserRow
                  key={row.id}
                  browser={row.browser}
                  isCurrent={row.is_current}
                  action={
                    <Button
                      size="compact-sm"
                      variant="subtle"
                      color="clay"
                      style={{ flex: 'none' }}
                      aria-label={`Forget ${row.browser}`}
                      onClick={() => setDeviceToForget(row)}
                    >
                      Forget
                    </Button>
                  }
                >
                  {row.address && `${row.address} · `}last login <Ago at={row.last_used_at} />
                </BrowserRow>
              ))}
            </BrowserRows>
          )
        }
      </Loaded>
      <Confirm
        opened={deviceToForget !== null}
        onClose={() => setDeviceToForget(null)}
        title="Forget this browser?"
        action="Forget browser"
        onConfirm={() => forget.mutateAsync({ params: { device_id: deviceToForget!.id } })}
      >
        <b>{deviceToForget?.browser}</b>
        {deviceToForget?.address && ` at ${deviceToForget.address}`} stays logged in. It is known
        again after its next login.
      </Confirm>
    </Card>
  );
}
