#!/usr/bin/env node
import { requireNode } from './require-node.js';

requireNode('vai');
await import('../dist/vai.js');
