import { defineConfig } from 'vite';

// Phaser alone has 1.4 MB: Vite would warn of such a file.
export default defineConfig({ build: { chunkSizeWarningLimit: 1_500 } });
