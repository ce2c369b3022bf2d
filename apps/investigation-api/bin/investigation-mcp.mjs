#!/usr/bin/env node
import '../../../dist/apps/investigation-api/mcp.js';
