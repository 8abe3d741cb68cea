"""Reads every row of reads.json through the Python SDK, in both eras: python client.py PATH-OF-FORGEHAND"""

import asyncio
import json
import pathlib
import sys

from mcp import Client, MCPError, StdioServerParameters, stdio_client
from mcp.types import ResourceTemplateReference

TABLE = json.loads(pathlib.Path(__file__).with_name("reads.json").read_text(encoding="utf-8"))


async def read_all(program: str, mode: str) -> int:
    """Reads all rows; how many there were. An AssertionError names the row that differs."""
    server = stdio_client(StdioServerParameters(command=program, args=["serve", "--demo"]))
    async with Client(server, mode=mode) as client:
        templates = (await client.list_resource_templates()).resource_templates
        assert len(templates) == TABLE["templates"], len(templates)
        for uri, kinds, said in TABLE["reads"]:
            contents = (await client.read_resource(uri)).contents
            assert [block.mime_type for block in contents] == kinds, (uri, contents)
            assert said in "\n".join(block.text for block in contents), (uri, contents)
        for uri, legacy, modern in TABLE["errors"]:
            try:
                answer = await client.read_resource(uri)
            except MCPError as error:
                assert error.code == (legacy if mode == "legacy" else modern), (uri, error)
            else:
                raise AssertionError((uri, answer))
        assert len((await client.list_prompts()).prompts) == TABLE["prompts"]
        name, arguments, said = TABLE["prompt"]
        messages = (await client.get_prompt(name, arguments)).messages
        assert said in messages[0].content.text, messages
        template, variable, typed, known, value = TABLE["completion"]
        completed = await client.complete(
            ResourceTemplateReference(type="ref/resource", uri=template),
            {"name": variable, "value": typed},
            context_arguments=known,
        )
        assert value in completed.completion.values, completed
        tools = (await client.list_tools()).tools
        assert tools, "no tools"
    return len(TABLE["reads"]) + len(TABLE["errors"])


def main() -> None:
    for mode in ("legacy", "2026-07-28"):
        print(f"Python SDK, {mode}: {asyncio.run(read_all(sys.argv[1], mode))} resources as expected")


main()
