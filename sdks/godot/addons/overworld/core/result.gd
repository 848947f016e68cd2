class_name OverworldResult
extends RefCounted
## The outcome of a call: [member value] if it is [member ok], otherwise [member error].

## True if the call succeeded.
var ok: bool
## The answer; null if the call failed.
var value: Variant
## The error; null if the call succeeded.
var error: OverworldError


static func success(result: Variant) -> OverworldResult:
	var made: OverworldResult = OverworldResult.new()
	made.ok = true
	made.value = result
	return made


static func failure(what: OverworldError) -> OverworldResult:
	var made: OverworldResult = OverworldResult.new()
	made.ok = false
	made.error = what
	return made
