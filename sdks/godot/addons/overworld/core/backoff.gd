class_name OverworldBackoff
extends RefCounted
## Internal. Pauses between the tries of a call.


## Half a second, doubled with each failure, minus up to half of it at random, so that players do not
## all return at once. Waits at least [param retry_after].
static func seconds_after(failures: int, retry_after: float, longest: float) -> float:
	var most: float = minf(longest, 0.5 * pow(2.0, mini(failures, 20) - 1))
	return maxf(retry_after, most * randf_range(0.5, 1.0))
