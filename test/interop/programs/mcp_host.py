"""A host that uses the MCP SDK for Python: it prepares a payment, submits it twice, and prints how each answer stands."""

import asyncio
import json
import os

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client


def connect():
    if url := os.environ.get("URL"):
        return streamablehttp_client(url, headers={"Authorization": f"Bearer {os.environ['TOKEN']}"})
    command, *args = json.loads(os.environ["COMMAND"])
    return stdio_client(StdioServerParameters(command=command, args=args, env={"PATH": os.environ["PATH"]}))


async def main():
    payment = {"beneficiary_id": os.environ["BENEFICIARY"], "amount": os.environ["AMOUNT"], "currency": "EUR"}
    async with connect() as (read, write, *_), ClientSession(read, write) as session:
        await session.initialize()
        await session.list_tools()
        prepared = (await session.call_tool("prepare_payment", payment)).structuredContent
        handle = {"handle": prepared["draft"]["handle"]}
        answers = [prepared] + [(await session.call_tool("submit_payment", handle)).structuredContent for _ in range(2)]
        print(json.dumps([answer["status"] for answer in answers]))


asyncio.run(main())
