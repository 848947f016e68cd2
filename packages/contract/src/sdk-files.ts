/**
 * The files of the SDKs, with their media types. A server gives out those of its own release at
 * `/sdk/<file>`; `npm run build:sdks` makes them.
 */
export const SDK_FILES = {
  /** The package for npm. */
  'overworld-sdk.tgz': 'application/gzip',
  /** The TypeScript SDK as an ES module for pages without a bundler. */
  'overworld.js': 'text/javascript; charset=utf-8',
  /** The addon for Godot, to unpack in the folder of a project. */
  'godot.zip': 'application/zip',
  /** The package for Unity's Package Manager. */
  'unity.tgz': 'application/gzip',
} as const;
