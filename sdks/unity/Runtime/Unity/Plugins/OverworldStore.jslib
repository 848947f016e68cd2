// Texts in the localStorage of the page. Unlike persistentDataPath, it does not depend on the address of the
// page, so the player stays when a new version of the game is uploaded to another address of the same site.
mergeInto(LibraryManager.library, {
  // Returns a text that the engine frees, or null if there is none.
  OverworldStoreRead: function (key) {
    var text = null;
    try {
      text = localStorage.getItem(UTF8ToString(key));
    } catch (error) {
      // The browser blocks the storage. OverworldStoreWrite says so.
    }
    if (text === null) return 0;
    var size = lengthBytesUTF8(text) + 1;
    var buffer = _malloc(size);
    stringToUTF8(text, buffer, size);
    return buffer;
  },

  // Returns 1 if the text is stored, or 0 if the storage is full or blocked.
  OverworldStoreWrite: function (key, text) {
    try {
      localStorage.setItem(UTF8ToString(key), UTF8ToString(text));
      return 1;
    } catch (error) {
      return 0;
    }
  },

  OverworldStoreDelete: function (key) {
    try {
      localStorage.removeItem(UTF8ToString(key));
    } catch (error) {
      // A storage that cannot be reached has no value to delete.
    }
  },

  // Returns the keys with this beginning, one on each line. The engine frees the text.
  OverworldStoreList: function (prefix) {
    var keys = [];
    try {
      var start = UTF8ToString(prefix);
      keys = Object.keys(localStorage).filter(function (key) {
        return key.indexOf(start) === 0;
      });
    } catch (error) {
      // The browser blocks the storage.
    }
    var text = keys.join('\n');
    var size = lengthBytesUTF8(text) + 1;
    var buffer = _malloc(size);
    stringToUTF8(text, buffer, size);
    return buffer;
  },

  // Copies the files in memory to IndexedDB. A failure, as in a private window, loses them with the page.
  OverworldCopyFiles: function () {
    FS.syncfs(false, function (error) {
      if (error) console.warn('[Overworld] Files were not stored: ' + error);
    });
  },
});
