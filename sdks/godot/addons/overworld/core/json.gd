class_name OverworldJson
extends RefCounted
## JSON that distinguishes whole numbers. Godot's own reader makes all numbers floats, which loses
## digits of 64-bit ids, and its writer reports no error for values that JSON cannot represent.

const MAX_INT: String = "9223372036854775807"
const MIN_INT: String = "9223372036854775808"
const MAX_DEPTH: int = 1100

var _text: String
var _at: int = 0
var _depth: int = 0
var _is_wrong: bool = false


## The value of a text; null if the text is not JSON, or is null.
static func read(text: String) -> Variant:
	var reader: OverworldJson = OverworldJson.new()
	reader._text = text
	var value: Variant = reader._read_value()
	reader._skip_space()
	if reader._is_wrong or reader._at < text.length():
		return null
	return value


## The object in a text; empty if it is something else.
static func read_object(text: String) -> Dictionary:
	var value: Variant = read(text)
	return value if value is Dictionary else {}


## The text of a value; empty if JSON has none, as for objects, NaN and keys that are no strings.
## Vectors are objects of [code]x[/code], [code]y[/code] and [code]z[/code], colors are texts such as
## [code]#ff8800ff[/code].
static func write(value: Variant) -> String:
	var parts: Array[String] = []
	return "".join(PackedStringArray(parts)) if _write_into(parts, value, 0) else ""


static func _write_into(parts: Array[String], value: Variant, depth: int) -> bool:
	if depth > MAX_DEPTH:
		return false
	if value == null:
		parts.append("null")
	elif value is bool:
		parts.append("true" if value else "false")
	elif value is int:
		parts.append(str(value))
	elif value is float:
		var number: float = value
		if not is_finite(number):
			return false
		parts.append(JSON.stringify(value, "", false, true))
	elif value is String or value is StringName:
		parts.append(_quote(str(value)))
	elif value is Vector2 or value is Vector2i:
		return _write_object(parts, {"x": value.x, "y": value.y}, depth)
	elif value is Vector3 or value is Vector3i:
		return _write_object(parts, {"x": value.x, "y": value.y, "z": value.z}, depth)
	elif value is Color:
		var color: Color = value
		parts.append(_quote("#" + color.to_html()))
	elif value is Dictionary:
		var object: Dictionary = value
		return _write_object(parts, object, depth)
	elif value is Array or value is PackedStringArray or value is PackedInt32Array \
			or value is PackedInt64Array or value is PackedFloat64Array:
		return _write_array(parts, value, depth)
	else:
		return false
	return true


static func _write_object(parts: Array[String], object: Dictionary, depth: int) -> bool:
	var separator: String = "{"
	for key: Variant in object:
		if not (key is String or key is StringName):
			return false
		parts.append(separator + _quote(str(key)) + ":")
		if not _write_into(parts, object[key], depth + 1):
			return false
		separator = ","
	parts.append("}" if separator == "," else "{}")
	return true


static func _write_array(parts: Array[String], items: Variant, depth: int) -> bool:
	var separator: String = "["
	for item: Variant in items:
		parts.append(separator)
		if not _write_into(parts, item, depth + 1):
			return false
		separator = ","
	parts.append("]" if separator == "," else "[]")
	return true


static func _quote(text: String) -> String:
	var escaped: String = text.replace("\\", "\\\\").replace("\"", "\\\"")
	for code: int in range(1, 32):
		var character: String = String.chr(code)
		if escaped.contains(character):
			escaped = escaped.replace(character, "\\u%04x" % code)
	return "\"" + escaped + "\""


func _read_value() -> Variant:
	_skip_space()
	var character: String = _text.substr(_at, 1)
	if character == "{":
		return _read_members()
	if character == "[":
		return _read_items()
	if character == "\"":
		return _read_string()
	for word: String in ["true", "false", "null"]:
		if _text.substr(_at, word.length()) == word:
			_at += word.length()
			if word == "null":
				return null
			return word == "true"
	return _read_number()


func _read_members() -> Dictionary:
	var object: Dictionary = {}
	_enter()
	_skip_space()
	if not _take("}"):
		while not _is_wrong:
			_skip_space()
			var key: String = _read_string()
			_skip_space()
			_expect(":")
			object[key] = _read_value()
			_skip_space()
			if not _take(","):
				break
		_expect("}")
	_depth -= 1
	return object


func _read_items() -> Array:
	var items: Array = []
	_enter()
	_skip_space()
	if not _take("]"):
		while not _is_wrong:
			items.append(_read_value())
			_skip_space()
			if not _take(","):
				break
		_expect("]")
	_depth -= 1
	return items


func _read_string() -> String:
	_expect("\"")
	var result: String = ""
	while not _is_wrong:
		var quote: int = _text.find("\"", _at)
		if quote < 0:
			_is_wrong = true
			break
		var escape: int = _text.substr(_at, quote - _at).find("\\")
		if escape < 0:
			result += _text.substr(_at, quote - _at)
			_at = quote + 1
			break
		result += _text.substr(_at, escape)
		_at += escape + 1
		result += _read_escape()
	return result


func _read_escape() -> String:
	var character: String = _text.substr(_at, 1)
	_at += 1
	var plain: Dictionary = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "/": "/", "\\": "\\", "\"": "\""}
	if plain.has(character):
		return plain[character]
	var code: int = _read_code()
	if character != "u" or code < 0:
		_is_wrong = true
		return ""
	var is_first_half: bool = code >= 0xD800 and code < 0xDC00
	if is_first_half and _text.substr(_at, 2) == "\\u":
		_at += 2
		code = 0x10000 + (code - 0xD800) * 0x400 + (_read_code() - 0xDC00)
	# Godot's strings cannot hold the character 0 and half characters.
	var is_half: bool = code >= 0xD800 and code < 0xE000
	return String.chr(0xFFFD) if code == 0 or is_half else String.chr(code)


func _read_code() -> int:
	var digits: String = _text.substr(_at, 4)
	_at += 4
	return digits.hex_to_int() if digits.length() == 4 and digits.is_valid_hex_number() else -1


func _read_number() -> Variant:
	var start: int = _at
	while _at < _text.length() and "+-.0123456789eE".contains(_text.substr(_at, 1)):
		_at += 1
	var digits: String = _text.substr(start, _at - start)
	if digits.is_valid_int() and not digits.begins_with("+") and _fits_int(digits):
		return digits.to_int()
	if not digits.is_valid_float():
		_is_wrong = true
	return digits.to_float()


static func _fits_int(digits: String) -> bool:
	var limit: String = MIN_INT if digits.begins_with("-") else MAX_INT
	var figures: String = digits.trim_prefix("-")
	return figures.length() < limit.length() or (figures.length() == limit.length() and figures <= limit)


func _enter() -> void:
	_at += 1
	_depth += 1
	if _depth > MAX_DEPTH:
		_is_wrong = true


func _skip_space() -> void:
	while _at < _text.length() and " \t\n\r".contains(_text.substr(_at, 1)):
		_at += 1


func _take(character: String) -> bool:
	if _text.substr(_at, 1) != character:
		return false
	_at += 1
	return true


func _expect(character: String) -> void:
	if not _take(character):
		_is_wrong = true
