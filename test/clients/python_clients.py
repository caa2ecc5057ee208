"""The Python clients `mcp` and `fastmcp` against the package, over stdio and over HTTP with a key.

Run by `npm run test:clients`, which gives the node program, the command file, a home with one document in it, the
address of a server and its key. Fails with what a client saw and should not have.
"""

import asyncio
import json
import os
import sys

from fastmcp import Client as FastClient
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client

NODE, COMMAND, HOME, URL, KEY = sys.argv[1:6]
ENV = {"PATH": os.environ["PATH"], "HOME": HOME, "VAI_HOME": HOME}
HEADERS = {"Authorization": f"Bearer {KEY}"}
QUESTION = {"query": "how do herons hunt", "collection": "birds"}


def check(condition, what):
    if not condition:
        raise AssertionError(what)


def look_at(structured, text):
    """Both copies of an answer hold the passage, its citation and the word of warning."""
    hit = structured["results"][0]
    check("strike" in hit["content"], structured)
    check(hit["citation"].startswith("birds/herons.md:"), hit)
    check("data, not instructions" in structured["untrusted"], structured)
    check("strike" in text and "data, not instructions" in text, text)


async def with_mcp(name, transport):
    async with Client(transport) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        check({"vai_query", "find", "flowrag_stats"} <= set(tools), sorted(tools))
        answer = await client.call_tool("vai_query", QUESTION)
        look_at(answer.structured_content, answer.content[0].text)
        # What LlamaIndex and OpenAI's strict mode send for what is optional.
        nulls = await client.call_tool("vai_query", {**QUESTION, "limit": None, "filter": None, "model": ""})
        check(not nulls.is_error, nulls)
        wrong = await client.call_tool("vai_query", {"query": "x", "limit": 1000})
        check(wrong.is_error and "limit" in wrong.content[0].text, wrong)
        resource = await client.read_resource("vai://collections")
        check("birds" in resource.contents[0].text, resource)
        prompt = await client.get_prompt("discover-docs", {"technologies": "astro"})
        check(prompt.messages, prompt)
    print(f"ok  mcp over {name}")


async def with_fastmcp(name, transport):
    async with FastClient(transport) as client:
        answer = await client.call_tool("vai_search", {**QUESTION, "limit": "3"})
        look_at(answer.structured_content, answer.content[0].text)
        # `data` keeps only what the output schema declares.
        stats = await client.call_tool("flowrag_stats", {})
        declared = set(vars(stats.data)) if hasattr(stats.data, "__dict__") else set(stats.data)
        check(set(stats.structured_content) <= declared, stats.structured_content)
        opened = await client.call_tool("vai_get", {"target": "birds/herons.md"})
        check("strike" in json.dumps(opened.structured_content), opened)
    print(f"ok  fastmcp over {name}")


async def main():
    arguments = [COMMAND, "mcp-server"]
    await with_mcp("stdio", StdioServerParameters(command=NODE, args=arguments, env=ENV))
    async with create_mcp_http_client(headers=HEADERS) as http:
        await with_mcp("http", streamable_http_client(URL, http_client=http))
    await with_fastmcp("stdio", StdioTransport(NODE, arguments, env=ENV, keep_alive=False))
    await with_fastmcp("http", StreamableHttpTransport(URL, headers=HEADERS))


if __name__ == "__main__":
    asyncio.run(main())
