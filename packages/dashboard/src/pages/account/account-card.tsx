import { Button, Group, Text } from '@mantine/core';
import { useRead } from '../../api/hooks.ts';
import { logOut } from '../../shell/log-out.ts';
import { formatDay } from '../../ui/format.ts';
import { Card, Loaded } from '../../ui/page.tsx';

/** The address and the age of the account, and the button that logs out. */
export function AccountCard() {
  const account = useRead('GET /v1/auth/me', {});
  return (
    <Card title="Account">
      <Loaded query={account}>
        {({ email, created_at, is_administrator }) => (
          <Group justify="space-between">
            <div>
              <Text fw={500} className="name">
                {email}
              </Text>
              <Text size="sm" c="dimmed">
                Since {formatDay(created_at)}
                {is_administrator && ', administrator of this installation'}
              </Text>
            </div>
            <Button variant="default" onClick={logOut}>
              Log out
            </Button>
          </Group>
        )}
      </Loaded>
    </Card>
  );
}
