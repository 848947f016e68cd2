import { Notifications } from '@mantine/notifications';

export const MessageList = () => <Notifications position="bottom-right" autoClose={5000} />;
