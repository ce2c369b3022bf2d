import type { AddressInfo } from 'node:net';
import express from 'express';

/** What Express 5 costs by itself: parses a JSON body and sends it back. Prints its port. */
const app = express().disable('x-powered-by').disable('etag');
app.use(express.json({ limit: '16mb' }));
app.post('/', (req, res) => void res.json(req.body));
const server = app.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
