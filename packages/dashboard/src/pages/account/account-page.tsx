import { Stack } from '@mantine/core';
import { ThemeSwitch } from '../../shell/navigation/account-menu.tsx';
import { DensitySwitch } from '../../ui/tables/density.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { VerifyAddress } from '../../ui/verify-address.tsx';
import { AccountCard } from './account-card.tsx';
import { DevicesCard } from './devices-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { SecondFactorsCard } from './second-factors/second-factors-card.tsx';
import { SessionsCard } from './sessions-card.tsx';

export function Component() {
  return (
    <Page title="Your account">
      <Stack gap="md" maw={560}>
        <VerifyAddress />
        <AccountCard />
        <Card title="Appearance">
          <Stack gap="xs">
            <ThemeSwitch />
            <DensitySwitch />
          </Stack>
        </Card>
        <PasswordCard />
        <SecondFactorsCard />
        <SessionsCard />
        <DevicesCard />
      </Stack>
    </Page>
  );
}
