/** The request header that names the version of the game that saves, such as `1.5.0`. */
export const APP_VERSION_HEADER = 'overworld-app-version';
/** Longest version of a game, in characters. */
export const MAX_APP_VERSION_LENGTH = 64;

const PRINTABLE = /^[\x20-\x7e]+$/;

/** Tells whether a text can be the version of a game: printable characters of ASCII. */
export const isAppVersion = (text: string): boolean =>
  text.length <= MAX_APP_VERSION_LENGTH && PRINTABLE.test(text);
