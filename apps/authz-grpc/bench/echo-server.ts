import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server, ServerCredentials, type UntypedHandleCall } from '@grpc/grpc-js';
import { AuthorizationServiceService } from '@platform/proto/authz/v1/authorization';

/**
 * The yardstick: grpc-js and node:http returning the same messages without doing anything. Prints its ports.
 */
const answer = { authorized: true };
const batch = {
  results: Array.from({ length: 100 }, () => ({
    authorized: true,
    checkId: '0'.repeat(36),
    error: undefined,
  })),
};
const reply =
  (message: unknown): UntypedHandleCall =>
  (_call: unknown, callback: (error: null, message: unknown) => void) =>
    callback(null, message);

const grpc = new Server();
grpc.addService(AuthorizationServiceService, {
  checkAuthorization: reply(answer),
  batchCheckAuthorization: reply(batch),
  explainAuthorization: reply(answer),
  validatePolicies: reply(answer),
  testPolicies: reply(answer),
  listAuditEvents: reply(answer),
});
const http = createServer((req, res) => {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString());
    const text = JSON.stringify({ allowed: true });
    res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': text.length }).end(text);
  });
});
grpc.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (_error, grpcPort) => {
  http.listen(0, '127.0.0.1', () => {
    console.log(JSON.stringify({ grpcPort, httpPort: (http.address() as AddressInfo).port }));
  });
});
