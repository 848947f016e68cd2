mergeInto(LibraryManager.library, {
  // Copies the files in memory to IndexedDB. A failure, as in a private window, loses them with the page.
  OverworldCopyFiles: function () {
    FS.syncfs(false, function (error) {
      if (error) console.warn('[Overworld] Files were not stored: ' + error);
    });
  },
});
