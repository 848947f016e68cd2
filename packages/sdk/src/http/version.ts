/** The version of this SDK. Requests name it, and the dashboard shows which versions call. */
export const VERSION = '0.1.0';
