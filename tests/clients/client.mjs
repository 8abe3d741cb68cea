// Reads every row of reads.json through the TypeScript SDK, in both eras: node client.mjs PATH-OF-FORGEHAND

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const table = JSON.parse(readFileSync(new URL('reads.json', import.meta.url), 'utf8'));
const program = process.argv[2];

async function readAll(mode) {
  const client = new Client({ name: 'tests', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(new StdioClientTransport({ command: program, args: ['serve', '--demo'] }));
  const { resourceTemplates } = await client.listResourceTemplates();
  assert.equal(resourceTemplates.length, table.templates);
  for (const [uri, kinds, said] of table.reads) {
    const { contents } = await client.readResource({ uri });
    assert.deepEqual(contents.map((block) => block.mimeType), kinds, uri);
    assert.ok(contents.some((block) => block.text.includes(said)), uri);
  }
  for (const [uri, legacy, modern] of table.errors) {
    // Of a resource that is not there the SDK tells the newer number in both eras.
    const code = mode === 'legacy' && legacy !== -32002 ? legacy : modern;
    await assert.rejects(client.readResource({ uri }), (error) => error.code === code, uri);
  }
  const { prompts } = await client.listPrompts();
  assert.equal(prompts.length, table.prompts);
  const [name, given, expected] = table.prompt;
  const { messages } = await client.getPrompt({ name, arguments: given });
  assert.ok(messages[0].content.text.includes(expected), name);
  const [template, variable, typed, known, value] = table.completion;
  const { completion } = await client.complete({
    ref: { type: 'ref/resource', uri: template },
    argument: { name: variable, value: typed },
    context: { arguments: known },
  });
  assert.ok(completion.values.includes(value), completion);
  const { tools } = await client.listTools();
  assert.ok(tools.length > 0);
  await client.close();
  return table.reads.length + table.errors.length;
}

for (const mode of ['legacy', { pin: '2026-07-28' }]) {
  const era = mode.pin ?? mode;
  console.log(`TypeScript SDK, ${era}: ${await readAll(mode)} resources as expected`);
}
