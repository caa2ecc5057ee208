#!/usr/bin/env node
import { requireNode } from './require-node.js';

requireNode('blz');
await import('../dist/blz.js');
