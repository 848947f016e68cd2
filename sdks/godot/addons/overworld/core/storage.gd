class_name OverworldStorage
extends RefCounted
## Internal. A folder of small texts. On a full or missing disk they are lost at a restart, and nothing
## else fails.

## A text is not stored.
signal failed(cause: String)

@warning_ignore_start("return_value_discarded")

const UNFINISHED: String = ".tmp"
const OLD: String = ".old"

var _root: String
var _api_key: String
var _first_api_key: String
# Empty before it is opened.
var _folder: String = ""


## The folder of the game in [param root]: one for development keys and one for production keys.
## [param first_api_key] is the first key of the game.
func _init(root: String, api_key: String, first_api_key: String) -> void:
	_root = root
	_api_key = api_key
	_first_api_key = first_api_key


## Makes the folder, or takes over the folder of earlier releases, which belonged to an API key. Ends the
## writes that a crash has interrupted.
func open() -> void:
	var environment: String = "development" if _api_key.begins_with("ow_dev_") else "production"
	_folder = _root.path_join("overworld-" + environment)
	var earlier: String = _root.path_join("overworld-" + _first_api_key.sha256_text().left(16))
	if not DirAccess.dir_exists_absolute(_folder) and DirAccess.dir_exists_absolute(earlier):
		DirAccess.rename_absolute(earlier, _folder)
	DirAccess.make_dir_recursive_absolute(_folder)
	for name: String in DirAccess.get_files_at(_folder):
		if name.ends_with(OLD):
			_restore(name.trim_suffix(OLD))


## The text; empty if there is none.
func read(name: String) -> String:
	if not FileAccess.file_exists(_path_of(name)):
		return ""
	return FileAccess.get_file_as_string(_path_of(name))


## Writes a text. An interrupted write leaves the old text. Returns whether the text is stored.
func write(name: String, text: String) -> bool:
	return _watch(name, _write(name, text))


## Adds to the end of a text, which is made if necessary. Returns whether the addition is stored.
func append(name: String, text: String) -> bool:
	return _watch(name, _append(name, text))


func remove(name: String) -> void:
	if FileAccess.file_exists(_path_of(name)):
		DirAccess.remove_absolute(_path_of(name))


## Names with this beginning, in order.
func list(prefix: String) -> PackedStringArray:
	var names: PackedStringArray = PackedStringArray()
	for name: String in DirAccess.get_files_at(_folder):
		if name.begins_with(prefix) and not name.ends_with(UNFINISHED) and not name.ends_with(OLD):
			names.append(name)
	names.sort()
	return names


## Tells about a text that the next start will not have.
func _watch(name: String, is_written: bool) -> bool:
	# A browser that blocks the storage of a page keeps its files only until the page closes.
	var is_stored: bool = is_written and OS.is_userfs_persistent()
	if not is_stored:
		failed.emit(_path_of(name) + " cannot be written")
	return is_stored


func _write(name: String, text: String) -> bool:
	var path: String = _path_of(name)
	var file: FileAccess = FileAccess.open(path + UNFINISHED, FileAccess.WRITE)
	if file == null or not _store(file, text):
		return false
	# On Windows, Godot removes the target of a rename first. So the old text stays beside it until the new
	# one is there.
	if FileAccess.file_exists(path):
		DirAccess.rename_absolute(path, path + OLD)
	var is_stored: bool = DirAccess.rename_absolute(path + UNFINISHED, path) == 0
	_restore(name)
	return is_stored


func _append(name: String, text: String) -> bool:
	var exists: bool = FileAccess.file_exists(_path_of(name))
	var file: FileAccess = FileAccess.open(_path_of(name), FileAccess.READ_WRITE if exists else FileAccess.WRITE)
	if file == null:
		return false
	file.seek_end()
	return _store(file, text)


static func _store(file: FileAccess, text: String) -> bool:
	var start: int = file.get_position()
	var bytes: PackedByteArray = text.to_utf8_buffer()
	file.store_buffer(bytes)
	file.flush()
	# On a full disk, Godot reports no error for a small text.
	var is_stored: bool = file.get_length() == start + bytes.size()
	if not is_stored:
		file.resize(start)
	file.close()
	return is_stored


## Takes the old text back if there is no new one.
func _restore(name: String) -> void:
	if not FileAccess.file_exists(_path_of(name + OLD)):
		return
	if FileAccess.file_exists(_path_of(name)):
		remove(name + OLD)
	else:
		DirAccess.rename_absolute(_path_of(name + OLD), _path_of(name))


func _path_of(name: String) -> String:
	return _folder.path_join(name)
