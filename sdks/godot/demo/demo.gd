extends Control
## The SDK to try out: connect, log in, submit a score, read the top ten, save and load.

@warning_ignore_start("return_value_discarded")

const BOARD: String = "demo"
const BUTTONS: Array = ["LogIn", "Submit", "Refresh", "Save", "Load"]


func _ready() -> void:
	_allow(false)


func _on_connect_pressed() -> void:
	var connect_button: Button = get_node("%Connect")
	connect_button.disabled = true
	_tell("Asking the server…")
	Overworld.start(_read("Address"), _read("Key"))
	var loaded: OverworldResult = await Overworld.config.load()
	if not loaded.ok:
		_tell(loaded.error.message + "\nStart the demo again to try another address or key.")
		return
	_allow(true)
	_tell("Connected. This device has logged in by itself, as player " + Overworld.get_player_id())
	await _show_top()


func _on_log_in_pressed() -> void:
	var result: OverworldResult = await Overworld.identify({"name": _read("Name")})
	_tell("Hello, %s" % result.value["name"] if result.ok else result.error.message)


func _on_submit_pressed() -> void:
	var score: SpinBox = get_node("%Score")
	var options: Dictionary = {"player_name": _read("Name")}
	var result: OverworldResult = await Overworld.leaderboards.submit(BOARD, int(score.value), options)
	if result.ok:
		_tell("You are number %d of %d" % [result.value["rank"], result.value["total_entries"]])
		await _show_top()
	elif result.error.is_kept:
		_tell("The score is kept, and is sent when the server is reached")
	else:
		_tell(result.error.message)


func _on_refresh_pressed() -> void:
	await _show_top()


func _on_save_pressed() -> void:
	var result: OverworldResult = await Overworld.saves.save({"note": _read("Note")}, {"on_conflict": "ours"})
	_tell("Saved as version %d" % result.value["version"] if result.ok else result.error.message)


func _on_load_pressed() -> void:
	var result: OverworldResult = await Overworld.saves.load()
	if not result.ok:
		_tell(result.error.message)
	elif result.value == null:
		_tell("There is no save yet")
	else:
		var note: LineEdit = get_node("%Note")
		note.text = result.value["data"]["note"]
		_tell("Loaded version %d" % result.value["version"])


func _show_top() -> void:
	var result: OverworldResult = await Overworld.leaderboards.page(BOARD, {"limit": 10})
	if not result.ok:
		_tell(result.error.message)
		return
	var lines: PackedStringArray = PackedStringArray()
	for entry: Dictionary in result.value["entries"]:
		var player: String = entry["player_name"] if entry["player_name"] != null else entry["player_id"]
		lines.append("%d.  %s  %s" % [entry["rank"], str(entry["score"]), player])
	var top: Label = get_node("%Top")
	top.text = "Nobody has a score yet" if lines.is_empty() else "\n".join(lines)


func _allow(is_allowed: bool) -> void:
	for button_name: String in BUTTONS:
		var button: Button = get_node("%" + button_name)
		button.disabled = not is_allowed


func _read(field_name: String) -> String:
	var field: LineEdit = get_node("%" + field_name)
	return field.text.strip_edges()


func _tell(text: String) -> void:
	var status: Label = get_node("%Status")
	status.text = text
