// Takes the picture of the demo for the README, from its web build. Run it with: npm run screenshot:godot
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDemoStage } from '../../../../packages/dashboard/demo-stage.ts';

process.env.GODOT_BIN ??= '/opt/godot/bin/godot';
const { GODOT, importProject } = await import('../project.ts');
const { openGameSite } = await import('./site.ts');
const { fetchTemplate } = await import('./template.ts');

const PICTURE = fileURLToPath(
  new URL('../../../../docs/screenshots/godot-demo.png', import.meta.url),
);
const SIZE = { width: 720, height: 640 };
const OTHERS = { Ada: 9_150, Kit: 7_820, Noor: 6_400, Bo: 3_990, Ines: 2_750, Tam: 1_310 };

/** Plays the demo like a person, and shows the usual address. */
const FILL = `extends Node


func _ready() -> void:
	await get_tree().process_frame
	var given: PackedStringArray = OS.get_cmdline_user_args()
	_field("Address").text = given[0]
	_field("Key").text = given[1]
	await _press("Connect", "Connected")
	await _press("LogIn", "Hello")
	await _press("Submit", "You are")
	_field("Address").text = "http://127.0.0.1:8080"
	for i: int in range(30):
		await get_tree().process_frame
	print("ready for the picture")


func _press(button: String, words: String) -> void:
	(get_tree().current_scene.get_node("%" + button) as Button).pressed.emit()
	while not (get_tree().current_scene.get_node("%Status") as Label).text.begins_with(words):
		await get_tree().process_frame


func _field(field: String) -> LineEdit:
	return get_tree().current_scene.get_node("%" + field)
`;

const template = await fetchTemplate();
if (!template) throw new Error('the web template of Godot cannot be had');
const folder = await mkdtemp(join(tmpdir(), 'overworld-picture-'));
const stage = await openDemoStage(['--players', '200']);
try {
  await cp(GODOT, folder, { recursive: true });
  await writeFile(join(folder, 'fill.gd'), FILL);
  const overworld = 'Overworld="*res://addons/overworld/overworld.gd"';
  const project = await readFile(join(folder, 'project.godot'), 'utf8');
  await writeFile(
    join(folder, 'project.godot'),
    project.replace(overworld, `${overworld}\nFill="*res://fill.gd"`),
  );
  await importProject(folder);
  const made = await fetch(`${stage.url}/v1/games/${stage.game_id}/api-keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${stage.token}` },
    body: JSON.stringify({ name: 'Picture', environment: 'development' }),
  });
  const { key } = (await made.json()) as { key: string };
  for (const [player_name, score] of Object.entries(OTHERS)) {
    await fetch(`${stage.url}/v1/leaderboards`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-game-api-key': key },
      body: JSON.stringify({ board_name: 'demo', player_id: player_name, player_name, score }),
    });
  }
  await using site = await openGameSite(folder, template);
  const page = await site.browser.newPage({ viewport: SIZE });
  const ready = page.waitForEvent('console', {
    predicate: (message) => message.text() === 'ready for the picture',
    timeout: 300_000,
  });
  await page.goto(site.urlOf([stage.url, key]));
  await ready;
  await page.screenshot({ path: PICTURE });
  console.log(`Wrote ${PICTURE}.`);
} finally {
  await stage.close();
  await rm(folder, { recursive: true });
}
