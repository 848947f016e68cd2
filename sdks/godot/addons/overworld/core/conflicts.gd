class_name OverworldConflicts
extends RefCounted
## Internal. The data to save when the server has a version that this client does not know.

@warning_ignore_start("return_value_discarded")


## [param saved_at] is the time of the call, in milliseconds by the server's clock.
static func resolve(policy: Variant, conflict: Dictionary, saved_at: int) -> Variant:
	if policy is Callable:
		var function: Callable = policy
		return await function.call(conflict)
	var ours: Dictionary = conflict["ours"]
	var theirs: Dictionary = conflict["theirs"]
	match policy:
		"ours":
			return ours
		"theirs":
			return theirs
		"newest":
			var updated_at: String = conflict["updated_at"]
			return theirs if OverworldMoment.read(updated_at) > saved_at else ours
		"per-field":
			if conflict["base"] == null:
				return add_fields(ours, theirs)
			var base: Dictionary = conflict["base"]
			return merge_fields(base, ours, theirs)
	push_error("Overworld: no such on_conflict: %s" % policy)
	return null


## Theirs, with the top-level fields of ours that changed since the base. If a field changed in
## both, ours wins.
static func merge_fields(base: Dictionary, ours: Dictionary, theirs: Dictionary) -> Dictionary:
	var merged: Dictionary = theirs.duplicate(true)
	for field: Variant in base:
		if not ours.has(field):
			merged.erase(field)
	for field: Variant in ours:
		var is_changed: bool = not base.has(field) \
				or OverworldJson.write(base[field]) != OverworldJson.write(ours[field])
		if is_changed:
			merged[field] = ours[field]
	return merged


## Without a base the changes are unknown: then it is theirs, with the fields of ours that theirs lacks.
static func add_fields(ours: Dictionary, theirs: Dictionary) -> Dictionary:
	var merged: Dictionary = theirs.duplicate(true)
	for field: Variant in ours:
		if not merged.has(field):
			merged[field] = ours[field]
	return merged
