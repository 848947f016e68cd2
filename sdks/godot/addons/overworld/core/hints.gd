class_name OverworldHints
extends RefCounted
## Internal. Tells the developers of a game about mistakes, on the console.

@warning_ignore_start("return_value_discarded")

var _is_on: bool
var _said: Dictionary = {}


func _init(api_key: String) -> void:
	_is_on = api_key.begins_with("ow_dev_")


## With a development key, says each text once. With a production key, says nothing.
func say(text: String) -> void:
	if _is_on and not _said.has(text):
		_said[text] = true
		push_warning("[Overworld] " + text)


func say_dropped(reason: String, message: String, violations: Array) -> void:
	var reasons: PackedStringArray = PackedStringArray()
	if message != "":
		reasons.append(message)
	for violation: Dictionary in violations:
		var why: String = "%s %s" % [violation.get("path", ""), violation.get("message", "")]
		if not reasons.has(why):
			reasons.append(why)
	say("Events are dropped (%s)" % reason + ("" if reasons.is_empty() else ": " + "; ".join(reasons)))


func say_warnings(warnings: Array) -> void:
	for warning: Dictionary in warnings:
		say("%s: %s %s" % [warning.get("event_name", ""), warning.get("path", ""), warning.get("message", "")])


## The mistake in the arguments of a start; empty without one.
static func find_mistake(base_url: String, host: String, api_key: String) -> String:
	if host == "":
		return "base_url must be an address like https://play.example.com, not \"%s\"" % base_url
	if not _is_key(api_key):
		return "api_key is missing or not a key"
	if api_key.begins_with("ow_srv_") and not OS.has_feature("dedicated_server"):
		return "A server key must not be in a game"
	return ""


## Tells whether a request can carry the text in a header.
static func _is_key(text: String) -> bool:
	for index: int in text.length():
		if text.unicode_at(index) < 0x21 or text.unicode_at(index) > 0x7e:
			return false
	return text != ""
