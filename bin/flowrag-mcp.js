#!/usr/bin/env node
import { requireNode } from './require-node.js';

requireNode('flowrag-mcp');
await import('../dist/flowrag-mcp.js');
