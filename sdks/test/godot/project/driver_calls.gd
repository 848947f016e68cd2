class_name DriverCalls
extends RefCounted
## The calls that a test can make. All SDKs give the outcomes of their calls in the same form.

var _tree: SceneTree
var _console: DriverConsole
var _dropped := []
var _errors := []
var _other_players := []
var _told_messages := []


func _init(tree: SceneTree, console: DriverConsole) -> void:
	_tree = tree
	_console = console
	Overworld.events_dropped.connect(_on_dropped)
	Overworld.other_player_logged_in.connect(func(player_id: String) -> void: _other_players.append(player_id))
	Overworld.send_failed.connect(func(error: OverworldError) -> void: _errors.append(describe_error(error)))


## Makes a call. Gives its outcome; an OverworldResult is a failure.
func make(call: String, args: Dictionary) -> Variant:
	match call.get_slice(".", 0):
		"saves":
			return await _make_of_saves(call, args)
		"leaderboards":
			return await _make_of_leaderboards(call, args)
		"account":
			return await _make_of_account(call, args)
		"messages":
			return await _make_of_messages(call, args)
	match call:
		"start":
			ProjectSettings.set_setting("application/config/version", args["options"].get("app_version", ""))
			Overworld.start(args["base_url"], args["api_key"], args["options"])
		"player_id":
			return Overworld.get_player_id()
		"set_player_id":
			Overworld.set_player_id(args["player_id"])
		"set_tracking":
			Overworld.set_tracking_enabled(args["is_enabled"])
		"track":
			if args.has("properties"):
				Overworld.track(args["event_name"], args["properties"])
			else:
				Overworld.track(args["event_name"])
		"identify":
			return _take(await Overworld.identify(args["properties"]))
		"tags.add":
			return _take(await Overworld.tags.add(args["tag"]))
		"tags.remove":
			return _take(await Overworld.tags.remove(args["tag"]))
		"achievements.unlock":
			var unlocked := await Overworld.achievements.unlock(args["key"], args.get("locale", ""))
			return unlocked.value["already_unlocked"] if unlocked.ok else unlocked
		"achievements.list":
			var listed := await Overworld.achievements.list(args.get("locale", ""))
			return listed.value["unlocked_points"] if listed.ok else listed
		"achievements.progress":
			var grown := await Overworld.achievements.list()
			return grown.value["achievements"].map(_pick.bind(["key", "progress"])) if grown.ok else grown
		"stats.change":
			return _take(await Overworld.stats.change(args["changes"]))
		"stats.list":
			var stats := await Overworld.stats.list()
			return stats.value.map(_pick.bind(["key", "aggregation", "value"])) if stats.ok else stats
		"config.load":
			return _take(await Overworld.config.load(args["max_age_seconds"]))
		"config.get":
			return Overworld.config.get_value(args["key"], args["fallback"])
		"queued_calls":
			return Overworld.get_queued_calls()
		"flush":
			return await Overworld.flush()
		"close":
			await Overworld.close()
		"reports":
			return {"dropped": _dropped, "errors": _errors, "queued": Overworld.get_queued_events()}
		"other_players":
			return _other_players
		"said":
			return _console.get_said()
		"advance":
			OverworldMoment.skew_ms += int(args["seconds"] * 1000)
		"compile":
			return _compile(args["code"]) != null
		"run":
			return await _run(args["code"], args["args"])
		"json":
			var value: Variant = OverworldJson.read(args["text"])
			return null if value == null else OverworldJson.write(value)
		_:
			push_error("The driver has no call " + call)
	return null


func _make_of_saves(call: String, args: Dictionary) -> Variant:
	var result: OverworldResult
	match call:
		"saves.load":
			result = await Overworld.saves.load.callv(_list_slot(args))
			return _describe_save(result.value) if result.ok else result
		"saves.save":
			var options := {}
			for option: Array in [["policy", "on_conflict"], ["version", "version"], ["slot", "slot"]]:
				if args.has(option[0]):
					options[option[1]] = args[option[0]]
			result = await Overworld.saves.save(OverworldJson.read(args["text"]), options)
			return _describe_save(result.value) if result.ok else result
		"saves.delete":
			return _take(await Overworld.saves.delete.callv(_list_slot(args)))
	result = await Overworld.saves.list()
	return result.value.map(_pick.bind(["slot", "version", "size_bytes"])) if result.ok else result


func _make_of_leaderboards(call: String, args: Dictionary) -> Variant:
	var options := args.duplicate()
	for argument: String in ["board", "score", "player_ids"]:
		options.erase(argument)
	var result: OverworldResult
	match call:
		"leaderboards.submit":
			result = await Overworld.leaderboards.submit(args["board"], args["score"], options)
			return _pick(result.value, ["rank", "score", "updated"]) if result.ok else result
		"leaderboards.players":
			result = await Overworld.leaderboards.players(args["board"], args["player_ids"], options)
			return result.value["players"].map(_describe_place) if result.ok else result
		"leaderboards.page":
			result = await Overworld.leaderboards.page(args["board"], options)
		"leaderboards.around":
			result = await Overworld.leaderboards.around(args["board"], options)
	return result.value["entries"].map(_pick.bind(["rank", "player_id", "score"])) if result.ok else result


func _make_of_messages(call: String, args: Dictionary) -> Variant:
	match call:
		"messages.watch":
			Overworld.messages_received.connect(func(messages: Array) -> void: _told_messages.append(_list_ids(messages)))
		"messages.told":
			return _told_messages
		"messages.list":
			var result := await Overworld.messages.list(args.get("locale", ""))
			if not result.ok:
				return result
			var described := _pick(result.value, ["unread_count", "is_stale"])
			described["messages"] = result.value["messages"].map(_pick.bind(["id", "title", "read", "claimed"]))
			return described
		"messages.read":
			return _take(await Overworld.messages.read(args["id"]))
		"messages.claim":
			var claim := await Overworld.messages.claim(args["id"])
			return _pick(claim.value, ["already_claimed", "rewards"]) if claim.ok else claim
		"messages.delete":
			return _take(await Overworld.messages.delete(args["id"]))
	return null


func _make_of_account(call: String, args: Dictionary) -> Variant:
	var credentials := args.duplicate()
	credentials.erase("provider")
	var result: OverworldResult
	match call:
		"account.login_with":
			result = await Overworld.account.login_with(args["provider"], credentials)
			return result.value["player_id"] if result.ok else result
		"account.move_here":
			result = await Overworld.account.move_here(args["code"])
			return result.value["player_id"] if result.ok else result
		"account.link":
			result = await Overworld.account.link(args["provider"], credentials)
		"account.unlink":
			result = await Overworld.account.unlink(args["provider"])
		"account.logout":
			result = await Overworld.account.logout()
		"account.get_player_token":
			result = await Overworld.account.get_player_token()
		"account.export_data":
			result = await Overworld.account.export_data()
			return result.value["player"]["player_id"] if result.ok else result
		"account.erase_player":
			result = await Overworld.account.erase_player()
		"account.create_move_code":
			result = await Overworld.account.create_move_code()
	return _take(result)


## Runs GDScript of the test, the body of a function. Gives what it returns.
func _run(code: String, args: Dictionary) -> Variant:
	var head := "extends RefCounted\nfunc run(tree: SceneTree, args: Dictionary) -> Variant:\n"
	var script := _compile(head + code.dedent().indent("  ") + "\n  return null\n")
	return null if script == null else await script.new().run(_tree, args)


## Null if it does not compile.
static func _compile(code: String) -> GDScript:
	var script := GDScript.new()
	script.source_code = code
	return script if script.reload() == OK else null


func _on_dropped(reason: String, _count: int, events: Array, message: String, violations: Array) -> void:
	_dropped.append({
		"reason": reason,
		"message": null if message == "" else message,
		"events": events.map(func(event: Dictionary) -> Variant: return event["event_name"]),
		"messages": violations.map(func(violation: Dictionary) -> Variant: return violation["message"]),
	})


## JSON has only one kind of number, which Godot reads as floats.
static func make_whole(value: Variant) -> Variant:
	if value is float and value == floorf(value):
		return int(value)
	if value is Array:
		return value.map(make_whole)
	if value is Dictionary:
		for key: Variant in value:
			value[key] = make_whole(value[key])
	return value


static func describe_error(error: OverworldError) -> Dictionary:
	return {"code": error.code, "status": error.status, "message": error.message}


static func _take(result: OverworldResult) -> Variant:
	return result.value if result.ok else result


## Arguments for a call that names a slot only if the test does.
static func _list_slot(args: Dictionary) -> Array:
	return [args["slot"]] if args.has("slot") else []


static func _pick(from: Dictionary, names: Array) -> Dictionary:
	var picked := {}
	for name: String in names:
		picked[name] = from[name]
	return picked


static func _list_ids(messages: Array) -> Array:
	return messages.map(func(message: Dictionary) -> Variant: return message["id"])


static func _describe_place(place: Dictionary) -> Dictionary:
	return {"player_id": place["player_id"], "rank": null if place["entry"] == null else place["entry"]["rank"]}


static func _describe_save(save: Variant) -> Variant:
	if save == null:
		return null
	var described := {"text": OverworldJson.write(save["data"]), "version": save["version"]}
	if save.has("was_conflict"):
		described["was_conflict"] = save["was_conflict"]
	return described
