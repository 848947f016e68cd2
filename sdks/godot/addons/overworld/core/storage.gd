class_name OverworldStorage
extends RefCounted
## Internal. A folder of small texts. On a full or missing disk they are lost at a restart, and nothing
## else fails.

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


## Makes the folder, or takes over the folder of earlier releases, which belonged to an API key.
func open() -> void:
	var environment: String = "development" if _api_key.begins_with("ow_dev_") else "production"
	_folder = _root.path_join("overworld-" + environment)
	var earlier: String = _root.path_join("overworld-" + _first_api_key.sha256_text().left(16))
	if not DirAccess.dir_exists_absolute(_folder) and DirAccess.dir_exists_absolute(earlier):
		DirAccess.rename_absolute(earlier, _folder)
	DirAccess.make_dir_recursive_absolute(_folder)


## The text; empty if there is none.
func read(name: String) -> String:
	if not FileAccess.file_exists(_path_of(name)):
		return ""
	return FileAccess.get_file_as_string(_path_of(name))


## Writes a text. An interrupted write leaves the old text.
func write(name: String, text: String) -> void:
	var unfinished: String = _path_of(name) + ".tmp"
	var file: FileAccess = FileAccess.open(unfinished, FileAccess.WRITE)
	if file == null:
		return
	file.store_string(text)
	file.close()
	DirAccess.rename_absolute(unfinished, _path_of(name))


## Adds to the end of a text, which is made if necessary.
func append(name: String, text: String) -> void:
	var exists: bool = FileAccess.file_exists(_path_of(name))
	var file: FileAccess = FileAccess.open(_path_of(name), FileAccess.READ_WRITE if exists else FileAccess.WRITE)
	if file == null:
		return
	file.seek_end()
	file.store_string(text)
	file.close()


func remove(name: String) -> void:
	if FileAccess.file_exists(_path_of(name)):
		DirAccess.remove_absolute(_path_of(name))


## Names with this beginning, in order.
func list(prefix: String) -> PackedStringArray:
	var names: PackedStringArray = PackedStringArray()
	for name: String in DirAccess.get_files_at(_folder):
		if name.begins_with(prefix) and not name.ends_with(".tmp"):
			names.append(name)
	names.sort()
	return names


func _path_of(name: String) -> String:
	return _folder.path_join(name)
