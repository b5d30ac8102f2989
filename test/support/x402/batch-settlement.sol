// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

interface IToken {
    function balanceOf(address account) external view returns (uint256);
    function transfer(address to, uint256 value) external returns (bool);
    function receiveWithAuthorization(
        address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes calldata signature
    ) external;
}

interface ICollector {
    function collect(address payer, address token, uint256 amount, bytes32 channelId, bytes calldata data) external;
}

/// @title A stand-in for the x402 batch settlement contract, for tests: the published interface and
/// rules of scheme batch-settlement (EVM), written from its specification. Planted at the address that
/// x402 names. Vouchers of contract accounts are left out.
contract TestBatchSettlement {
    struct ChannelConfig {
        address payer;
        address payerAuthorizer;
        address receiver;
        address receiverAuthorizer;
        address token;
        uint40 withdrawDelay;
        bytes32 salt;
    }
    struct ChannelState { uint128 balance; uint128 totalClaimed; }
    struct Withdrawal { uint128 amount; uint40 initiatedAt; }
    struct ReceiverState { uint128 totalClaimed; uint128 totalSettled; }
    struct Voucher { ChannelConfig channel; uint128 maxClaimableAmount; }
    struct VoucherClaim { Voucher voucher; bytes signature; uint128 totalClaimed; }

    bytes32 public constant CHANNEL_CONFIG_TYPEHASH = keccak256(
        "ChannelConfig(address payer,address payerAuthorizer,address receiver,address receiverAuthorizer,address token,uint40 withdrawDelay,bytes32 salt)"
    );
    bytes32 private constant VOUCHER_TYPEHASH = keccak256("Voucher(bytes32 channelId,uint128 maxClaimableAmount)");
    bytes32 private constant REFUND_TYPEHASH = keccak256("Refund(bytes32 channelId,uint256 nonce,uint128 amount)");
    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");

    mapping(bytes32 => ChannelState) public channels;
    mapping(bytes32 => uint256) public refundNonce;
    mapping(bytes32 => Withdrawal) public pendingWithdrawals;
    mapping(address => mapping(address => ReceiverState)) public receivers;

    event Deposited(bytes32 indexed channelId, address indexed sender, uint128 amount, uint128 newBalance);
    event Claimed(bytes32 indexed channelId, address indexed sender, uint128 claimAmount, uint128 newTotalClaimed);
    event Settled(address indexed receiver, address indexed token, address indexed sender, uint128 amount);
    event Refunded(bytes32 indexed channelId, address indexed sender, uint128 amount);

    error InvalidChannel();
    error WithdrawDelayOutOfRange();
    error ZeroAmount();
    error DepositCollectionFailed();
    error InvalidSignature();
    error NotReceiverSide();
    error NotPayerSide();
    error ClaimExceedsCeiling();
    error ClaimExceedsBalance();
    error WithdrawalState();
    error InvalidRefundNonce();

    function multicall(bytes[] calldata data) external returns (bytes[] memory results) {
        results = new bytes[](data.length);
        for (uint256 i = 0; i < data.length; ++i) {
            (bool ok, bytes memory result) = address(this).delegatecall(data[i]);
            if (!ok) assembly { revert(add(result, 32), mload(result)) }
            results[i] = result;
        }
    }

    function deposit(ChannelConfig calldata config, uint128 amount, address collector, bytes calldata data) external {
        if (config.payer == address(0) || config.receiver == address(0) || config.token == address(0)) revert InvalidChannel();
        if (config.receiverAuthorizer == address(0)) revert InvalidChannel();
        if (config.withdrawDelay < 15 minutes || config.withdrawDelay > 30 days) revert WithdrawDelayOutOfRange();
        if (amount == 0) revert ZeroAmount();
        bytes32 id = getChannelId(config);
        channels[id].balance += amount;
        uint256 before = IToken(config.token).balanceOf(address(this));
        ICollector(collector).collect(config.payer, config.token, amount, id, data);
        if (IToken(config.token).balanceOf(address(this)) != before + amount) revert DepositCollectionFailed();
        emit Deposited(id, msg.sender, amount, channels[id].balance);
    }

    function claim(VoucherClaim[] calldata claims) external {
        if (claims.length == 0) revert ZeroAmount();
        for (uint256 i = 0; i < claims.length; ++i) {
            ChannelConfig calldata config = claims[i].voucher.channel;
            if (msg.sender != config.receiver && msg.sender != config.receiverAuthorizer) revert NotReceiverSide();
            bytes32 id = getChannelId(config);
            ChannelState storage state = channels[id];
            uint128 total = claims[i].totalClaimed;
            if (total <= state.totalClaimed) continue;
            if (total > claims[i].voucher.maxClaimableAmount) revert ClaimExceedsCeiling();
            if (total > state.balance) revert ClaimExceedsBalance();
            bytes32 digest = hashTyped(keccak256(abi.encode(VOUCHER_TYPEHASH, id, claims[i].voucher.maxClaimableAmount)));
            if (signerOf(digest, claims[i].signature) != config.payerAuthorizer) revert InvalidSignature();
            uint128 delta = total - state.totalClaimed;
            state.totalClaimed = total;
            receivers[config.receiver][config.token].totalClaimed += delta;
            emit Claimed(id, msg.sender, delta, total);
        }
    }

    function settle(address receiver, address token) external {
        ReceiverState storage state = receivers[receiver][token];
        uint128 amount = state.totalClaimed - state.totalSettled;
        if (amount == 0) return;
        state.totalSettled = state.totalClaimed;
        IToken(token).transfer(receiver, amount);
        emit Settled(receiver, token, msg.sender, amount);
    }

    function initiateWithdraw(ChannelConfig calldata config, uint128 amount) external {
        if (msg.sender != config.payer && msg.sender != config.payerAuthorizer) revert NotPayerSide();
        bytes32 id = getChannelId(config);
        ChannelState storage state = channels[id];
        if (pendingWithdrawals[id].initiatedAt != 0 || amount == 0) revert WithdrawalState();
        if (amount > state.balance - state.totalClaimed) revert WithdrawalState();
        pendingWithdrawals[id] = Withdrawal(amount, uint40(block.timestamp));
    }

    function finalizeWithdraw(ChannelConfig calldata config) external {
        if (msg.sender != config.payer && msg.sender != config.payerAuthorizer) revert NotPayerSide();
        bytes32 id = getChannelId(config);
        Withdrawal memory pending = pendingWithdrawals[id];
        if (pending.initiatedAt == 0) revert WithdrawalState();
        if (block.timestamp < uint256(pending.initiatedAt) + config.withdrawDelay) revert WithdrawalState();
        ChannelState storage state = channels[id];
        uint128 available = state.balance - state.totalClaimed;
        uint128 amount = pending.amount > available ? available : pending.amount;
        delete pendingWithdrawals[id];
        state.balance -= amount;
        if (amount > 0) IToken(config.token).transfer(config.payer, amount);
    }

    function refund(ChannelConfig calldata config, uint128 amount) external {
        if (msg.sender != config.receiver && msg.sender != config.receiverAuthorizer) revert NotReceiverSide();
        giveBack(config, amount);
    }

    function refundWithSignature(ChannelConfig calldata config, uint128 amount, uint256 nonce, bytes calldata signature)
        external
    {
        bytes32 id = getChannelId(config);
        if (nonce != refundNonce[id]) revert InvalidRefundNonce();
        bytes32 digest = hashTyped(keccak256(abi.encode(REFUND_TYPEHASH, id, nonce, amount)));
        if (signerOf(digest, signature) != config.receiverAuthorizer) revert InvalidSignature();
        giveBack(config, amount);
    }

    function giveBack(ChannelConfig calldata config, uint128 amount) private {
        if (amount == 0) revert ZeroAmount();
        bytes32 id = getChannelId(config);
        refundNonce[id]++;
        ChannelState storage state = channels[id];
        uint128 available = state.balance - state.totalClaimed;
        uint128 given = amount > available ? available : amount;
        if (given == 0) return;
        state.balance -= given;
        Withdrawal storage pending = pendingWithdrawals[id];
        if (given >= pending.amount) delete pendingWithdrawals[id];
        else pending.amount -= given;
        emit Refunded(id, msg.sender, given);
        IToken(config.token).transfer(config.payer, given);
    }

    function getChannelId(ChannelConfig calldata config) public view returns (bytes32) {
        return hashTyped(keccak256(abi.encode(CHANNEL_CONFIG_TYPEHASH, config)));
    }

    function hashTyped(bytes32 structHash) private view returns (bytes32) {
        bytes32 domain = keccak256(
            abi.encode(DOMAIN_TYPEHASH, keccak256("x402 Batch Settlement"), keccak256("1"), block.chainid, address(this))
        );
        return keccak256(abi.encodePacked(hex"1901", domain, structHash));
    }

    function signerOf(bytes32 digest, bytes calldata signature) private pure returns (address) {
        if (signature.length != 65) revert InvalidSignature();
        return ecrecover(digest, uint8(signature[64]), bytes32(signature[0:32]), bytes32(signature[32:64]));
    }
}

/// @title Pulls a deposit by EIP-3009, as the collector that x402 for EVM names.
contract TestDepositCollector {
    function collect(address payer, address token, uint256 amount, bytes32 channelId, bytes calldata data) external {
        (uint256 validAfter, uint256 validBefore, uint256 salt, bytes memory signature) =
            abi.decode(data, (uint256, uint256, uint256, bytes));
        bytes32 nonce = keccak256(abi.encode(channelId, salt));
        IToken(token).receiveWithAuthorization(payer, address(this), amount, validAfter, validBefore, nonce, signature);
        IToken(token).transfer(msg.sender, amount);
    }
}
