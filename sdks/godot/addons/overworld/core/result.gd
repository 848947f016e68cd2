class_name OverworldResult
extends RefCounted
## What a call answers: [member value] when it is [member ok], else [member error].

## Whether the call did what it is for.
var ok: bool
## The answer; null when the call failed.
var value: Variant
## What went wrong; null when nothing did.
var error: OverworldError


static func success(result: Variant) -> OverworldResult:
	var made := OverworldResult.new()
	made.ok = true
	made.value = result
	return made


static func failure(what: OverworldError) -> OverworldResult:
	var made := OverworldResult.new()
	made.ok = false
	made.error = what
	return made
