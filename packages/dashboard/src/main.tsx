import '@fontsource-variable/figtree/index.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './theme/global.css';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { queryClient, SETUP_REQUIRED } from './api/query-client.ts';
import { session } from './api/session.ts';
import { router } from './router.tsx';
import { keepFocus } from './shell/kept-focus.ts';
import { Messages } from './shell/messages.tsx';
import { leaveTabsInTimeFields } from './shell/time-field-tabs.ts';
import { resolveVariables, theme } from './theme/theme.ts';

const colorScheme = localStorageColorSchemeManager({ key: 'overworld.color-scheme' });

session.onEnd(() => {
  const { pathname, search } = router.state.location;
  const query = new URLSearchParams({ return_to: pathname + search, expired: '' });
  void router.navigate(`/login?${query}`, { replace: true }).then(() => queryClient.clear());
});

addEventListener(SETUP_REQUIRED, () => void router.navigate('/account', { replace: true }));

keepFocus();
leaveTabsInTimeFields();
createRoot(document.getElementById('root')!).render(
  <MantineProvider
    theme={theme}
    cssVariablesResolver={resolveVariables}
    colorSchemeManager={colorScheme}
    defaultColorScheme="auto"
  >
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
    <Messages />
  </MantineProvider>,
);
